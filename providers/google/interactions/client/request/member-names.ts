import { defineSpelling } from '../../../../../core/api/codec.ts';

/** Members that limit, price or route a request. */
export const spelling = defineSpelling({
  model: true,
  agent: true,
  input: true,
  stream: true,
  generation_config: { max_output_tokens: true, thinking_level: true, thinking_summaries: true },
  response_modalities: true,
  response_format: true,
  tools: true,
  background: true,
  store: true,
  previous_interaction_id: true,
  continuation_token: true,
  cached_content: true,
  environment: true,
  service_tier: true,
  webhook_config: true,
});
