import type { JsonObject, Usage } from '../../../core/api/index.ts';
import { isObject, lookUp, omitUndefined, readCount } from '../../../core/api/codec.ts';

/** Tiers as this wire reports them. */
const tierOf: Readonly<Record<string, string>> = {
  standard: 'standard',
  priority: 'priority',
  batch: 'batch',
  default: 'standard',
  auto: 'standard',
};

/**
 * `input_tokens` excludes cache reads and writes. What a write total exceeds its split by is a 5-minute write, the
 * vendor's default.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function readUsage(raw: JsonObject): Usage {
  const split = isObject(raw['cache_creation']) ? raw['cache_creation'] : {};
  const details = isObject(raw['output_tokens_details']) ? raw['output_tokens_details'] : {};
  const cacheWrite1h = readCount(split['ephemeral_1h_input_tokens']);
  const unsplit = readCount(raw['cache_creation_input_tokens']) - cacheWrite1h;
  const output = readCount(raw['output_tokens']);
  // The vendor does not report fast mode as a tier, but prices it like one.
  const tier = raw['speed'] === 'fast' ? 'fast' : raw['service_tier'];
  return {
    inputUncached: readCount(raw['input_tokens']),
    cacheRead: readCount(raw['cache_read_input_tokens']),
    cacheWrite5m: Math.max(readCount(split['ephemeral_5m_input_tokens']), unsplit),
    cacheWrite1h,
    output,
    reasoning: Math.min(readCount(details['thinking_tokens']), output),
    ...(typeof tier === 'string' ? { tier } : {}),
    source: 'provider',
    raw,
  };
}

/**
 * Streamed usage is cumulative: later members replace earlier ones, and members that are missing or null keep theirs.
 */
export const mergeUsage = (earlier: JsonObject, later: unknown): JsonObject =>
  isObject(later)
    ? {
        ...earlier,
        ...Object.fromEntries(Object.entries(later).filter(([, figure]) => figure !== null && figure !== undefined)),
      }
    : earlier;

/** For providers that report no usage: the estimate of the input, and no output. */
const unknownUsage = (inputEstimate: number): Usage => ({
  inputUncached: inputEstimate,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'estimated',
});

/** All four counts are always present, also as zero. */
export function writeUsage(known: Usage | undefined, inputEstimate: number): JsonObject {
  const usage = known ?? unknownUsage(inputEstimate);
  const tier = usage.tier === undefined ? undefined : lookUp(tierOf, usage.tier);
  return omitUndefined({
    input_tokens: usage.inputUncached,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite5m, ephemeral_1h_input_tokens: usage.cacheWrite1h },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    service_tier: tier,
  });
}
