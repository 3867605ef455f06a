import { defineSpelling } from '../../../../../core/api/codec.ts';
import { routingMembers } from '../../../routing-members.ts';

/**
 * Members that limit, price or route a request: OpenAI's own, and those of servers of this wire that choose among
 * models or providers.
 */
export const spelling = defineSpelling({
  model: true,
  input: true,
  stream: true,
  stream_options: true,
  max_output_tokens: true,
  max_tool_calls: true,
  reasoning: { effort: true },
  background: true,
  store: true,
  previous_response_id: true,
  conversation: true,
  prompt: true,
  service_tier: true,
  tools: true,
  route: true,
  ...routingMembers,
});
