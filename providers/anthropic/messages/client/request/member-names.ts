import { defineSpelling } from '../../../../../core/api/codec.ts';

/** Members that limit, price or route a request: https://platform.claude.com/docs/en/api/messages */
export const spelling = defineSpelling({
  model: true,
  messages: true,
  stream: true,
  max_tokens: true,
  thinking: { type: true, budget_tokens: true },
  output_config: { effort: true },
  service_tier: true,
  inference_geo: true,
  speed: true,
  tools: true,
  mcp_servers: true,
  container: true,
  context_management: true,
  fallbacks: true,
  thread: true,
});
