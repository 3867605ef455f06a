import { defineSpelling } from '../../../../../core/api/codec.ts';

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
  models: true,
  fallbacks: true,
  provider: true,
  route: true,
  api_base: true,
  api_key: true,
  base_url: true,
});
