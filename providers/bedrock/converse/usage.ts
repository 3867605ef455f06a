import type { JsonObject, Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, omitUndefined, readCount, readObjects, readText } from '../../../core/api/codec.ts';

/** Longer than any name of a tier. */
const MAX_NAME = 128;

/**
 * `inputTokens`, which excludes cache reads and writes. Some models count these in it: then the total is the sum of
 * input and output.
 */
const readInput = (raw: Readonly<JsonObject>, cached: number): number => {
  const input = readCount(raw['inputTokens']);
  const isInside =
    cached > 0 && cached <= input && readCount(raw['totalTokens']) === input + readCount(raw['outputTokens']);
  return isInside ? input - cached : input;
};

/**
 * What a write total exceeds its split by is a 5-minute write, the
 * vendor's default. Reasoning is part of the output and not reported.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 * @param tier `serviceTier` of the response
 */
export function readUsage(raw: Readonly<JsonObject>, tier?: unknown): Usage {
  const details = readObjects(raw['cacheDetails']);
  const written = (ttl: string): number =>
    details
      .filter((detail) => detail['ttl'] === ttl)
      .reduce((sum, detail) => sum + readCount(detail['inputTokens']), 0);
  const cacheWrite1h = written('1h');
  const total = readCount(raw['cacheWriteInputTokens'] ?? raw['cacheWriteInputTokenCount']);
  const cacheRead = readCount(raw['cacheReadInputTokens'] ?? raw['cacheReadInputTokenCount']);
  const cacheWrite5m = Math.max(written('5m'), total - cacheWrite1h);
  return omitUndefined<Usage>({
    inputUncached: readInput(raw, cacheRead + cacheWrite5m + cacheWrite1h),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output: readCount(raw['outputTokens']),
    reasoning: 0,
    tier: readText(tier).slice(0, MAX_NAME) || undefined,
    source: 'provider',
    raw,
  });
}

/** The counts with `Count` in their names repeat the others. */
export const usageMembers = defineKnownMembers({
  inputTokens: true,
  outputTokens: true,
  totalTokens: true,
  cacheReadInputTokens: true,
  cacheReadInputTokenCount: true,
  cacheWriteInputTokens: true,
  cacheWriteInputTokenCount: true,
  cacheDetails: { ttl: true, inputTokens: true },
  serverToolUsage: {},
});
