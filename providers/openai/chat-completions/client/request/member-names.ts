import { defineSpelling } from '../../../../../core/api/codec.ts';
import { routingMembers } from '../../../routing-members.ts';

/**
 * Members that limit, price or route a request: OpenAI's own, and those of servers of this wire that choose among
 * models or providers.
 */
export const spelling = defineSpelling({
  model: true,
  messages: true,
  stream: true,
  stream_options: { include_usage: true },
  n: true,
  best_of: true,
  max_tokens: true,
  max_completion_tokens: true,
  reasoning: { effort: true, max_tokens: true },
  reasoning_effort: true,
  service_tier: true,
  store: true,
  tools: true,
  functions: true,
  modalities: true,
  prediction: true,
  web_search_options: true,
  route: true,
  ...routingMembers,
});
