import type { JsonObject, Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, omitUndefined, readCount, readObjects, readText } from '../../../core/api/codec.ts';

/** Longer than any name of a tier. */
const MAX_NAME = 128;

/**
 * `inputTokens` excludes cache reads and writes. What a write total exceeds its split by is a 5-minute write, the
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
  return omitUndefined<Usage>({
    inputUncached: readCount(raw['inputTokens']),
    cacheRead: readCount(raw['cacheReadInputTokens'] ?? raw['cacheReadInputTokenCount']),
    cacheWrite5m: Math.max(written('5m'), total - cacheWrite1h),
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
