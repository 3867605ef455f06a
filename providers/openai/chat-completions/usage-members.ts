import { defineKnownMembers } from '../../../core/api/codec.ts';

/** Costs as vendors report them. Those of OpenRouter, Perplexity and xAI are read, for models without a price. */
export const reportedCosts = {
  cost: {
    currency: true,
    input_cost: true,
    input_tokens_cost: true,
    output_tokens_cost: true,
    output_cost: true,
    cache_creation_cost: true,
    cache_read_cost: true,
    tool_calls_cost: true,
    request_cost: true,
    total_cost: true,
  },
  cost_details: {
    upstream_inference_cost: true,
    upstream_inference_prompt_cost: true,
    upstream_inference_completions_cost: true,
    upstream_inference_input_cost: true,
    upstream_inference_output_cost: true,
  },
  cost_in_usd_ticks: true,
  market_cost: true,
  is_byok: true,
} as const;

/** Hosted tools of OpenRouter and xAI. Of those with a price, only searches, fetches and images are read. */
export const hostedTools = {
  num_search_queries: true,
  num_sources_used: true,
  server_tool_use_details: {
    tool_calls_executed: true,
    tool_calls_requested: true,
    web_search_requests: true,
    web_fetch_requests: true,
  },
  server_side_tool_usage_details: { web_search_calls: true, x_search_calls: true, image_generation_calls: true },
} as const;

/** Times and rates, which cost nothing. */
const measurements = {
  prompt_time: true,
  completion_time: true,
  queue_time: true,
  total_time: true,
  prompt_tokens_per_second: true,
  tokens_per_second: true,
  time_to_first_token_ms: true,
  time_per_output_token_ms: true,
  latency_checkpoint: true,
  draft_tokens: true,
  draft_tokens_acceptance: true,
} as const;

const kinds = { audio_tokens: true, image_tokens: true, text_tokens: true, video_tokens: true } as const;
export const inputDetails = {
  ...kinds,
  cached_tokens: true,
  cached_tokens_details: kinds,
  cache_write_tokens: true,
  cache_write_tokens_details: { ttl_30m_tokens: true, ttl_12h_tokens: true },
} as const;
export const outputDetails = { ...kinds, reasoning_tokens: true } as const;

/** Of OpenAI and of all servers that are compatible with it. */
export const usageMembers = defineKnownMembers({
  prompt_tokens: true,
  completion_tokens: true,
  total_tokens: true,
  prompt_tokens_details: inputDetails,
  completion_tokens_details: {
    ...outputDetails,
    accepted_prediction_tokens: true,
    rejected_prediction_tokens: true,
  },
  service_tier: true,
  cached_tokens: true,
  num_cached_tokens: true,
  prompt_cache_hit_tokens: true,
  prompt_cache_miss_tokens: true,
  cache_creation_input_tokens: true,
  citation_tokens: true,
  reasoning_tokens: true,
  prompt_audio_seconds: true,
  search_context_size: true,
  ...hostedTools,
  ...reportedCosts,
  ...measurements,
});
