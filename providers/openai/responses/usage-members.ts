import { defineKnownMembers } from '../../../core/api/codec.ts';
import { hostedTools, reportedCosts } from '../chat-completions/usage-members.ts';

const kinds = { audio_tokens: true, image_tokens: true, text_tokens: true, video_tokens: true } as const;

/** Of `usage`, and of the tools in `tool_usage` that are calls of other models. */
export const usageMembers = defineKnownMembers({
  input_tokens: true,
  output_tokens: true,
  total_tokens: true,
  input_tokens_details: {
    ...kinds,
    cached_tokens: true,
    cached_tokens_details: kinds,
    cache_write_tokens: true,
    cache_write_tokens_details: { ttl_30m_tokens: true, ttl_12h_tokens: true },
  },
  output_tokens_details: { ...kinds, reasoning_tokens: true },
  cached_tokens: true,
  cached_tokens_details: { cached_image_tokens: true, cached_text_tokens: true },
  context_details: { input_tokens: true, output_tokens: true },
  num_server_side_tools_used: true,
  ...hostedTools,
  ...reportedCosts,
});
