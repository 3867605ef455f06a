import { cacheWriteTotal, inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { isObject, readCount, readObject, defineKnownMembers } from '../../../core/api/codec.ts';
import { composeUsage, type UsageNames, writeLifetimes } from '../chat-completions/usage.ts';
import { readToolUsage } from './tool-usage.ts';
import { hostedTools, inputDetails, outputDetails, reportedCosts } from '../chat-completions/usage-members.ts';

/** Of `usage`, and of the tools in `tool_usage` that are calls of other models. */
export const usageMembers = defineKnownMembers({
  input_tokens: true,
  output_tokens: true,
  total_tokens: true,
  input_tokens_details: inputDetails,
  output_tokens_details: outputDetails,
  cached_tokens: true,
  cached_tokens_details: { cached_image_tokens: true, cached_text_tokens: true },
  context_details: { input_tokens: true, output_tokens: true },
  num_server_side_tools_used: true,
  ...hostedTools,
  ...reportedCosts,
});

/**
 * The usage of a response object, `undefined` if it has none. `input_tokens` includes the tokens read from and written
 * to the cache; `output_tokens` includes the reasoning. What hosted tools used is in `tool_usage`.
 * @param searches the searches in the output, which count where no report has them
 */
export function readUsage(response: Readonly<JsonObject>, searches = 0): Usage | undefined {
  const { usage, service_tier: tier } = response;
  if (!isObject(usage)) return undefined;
  const inputDetails = readObject(usage['input_tokens_details']);
  const outputDetails = readObject(usage['output_tokens_details']);
  const own = composeUsage({
    usage,
    tier,
    input: readCount(usage['input_tokens']),
    output: readCount(usage['output_tokens']),
    total: readCount(usage['total_tokens']),
    cached: readCount(inputDetails['cached_tokens']),
    reasoning: readCount(outputDetails['reasoning_tokens']),
    inputDetails,
    outputDetails,
  });
  if (searches === 0 && !isObject(response['tool_usage'])) return own;
  return { ...own, ...readToolUsage(response, own.units, searches) };
}

export const usageNames: UsageNames = {
  input: 'input_tokens',
  inputDetails: 'input_tokens_details',
  output: 'output_tokens',
  outputDetails: 'output_tokens_details',
};

/** Clients of this wire require both details objects. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: cacheWriteTotal(usage),
      ...writeLifetimes(usage),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  };
}
