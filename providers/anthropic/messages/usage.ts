import { cacheWriteTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  lookUp,
  omitUndefined,
  readCount,
  readObject,
  readObjects,
  readText,
} from '../../../core/api/codec.ts';
import { estimateUsage } from '../../../core/api/internal.ts';

/** Tiers as this wire reports them. */
const tierOf: Readonly<Record<string, string>> = {
  standard: 'standard',
  priority: 'priority',
  batch: 'batch',
  default: 'standard',
  auto: 'standard',
};

/** More further calls than any request causes. */
const MAX_FURTHER = 1_000;
/** Longer than any name of a tier, region or model. */
const MAX_NAME = 128;

/** The name; undefined for none. */
const readName = (value: unknown): string | undefined => readText(value).slice(0, MAX_NAME) || undefined;

/**
 * `input_tokens` excludes cache reads and writes. What a write total exceeds its split by is a 5-minute write, the
 * vendor's default.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
function readCounts(raw: JsonObject) {
  const split = readObject(raw['cache_creation']);
  const cacheWrite1h = readCount(split['ephemeral_1h_input_tokens']);
  const unsplit = readCount(raw['cache_creation_input_tokens']) - cacheWrite1h;
  const output = readCount(raw['output_tokens']);
  return {
    inputUncached: readCount(raw['input_tokens']),
    cacheRead: readCount(raw['cache_read_input_tokens']),
    cacheWrite5m: Math.max(readCount(split['ephemeral_5m_input_tokens']), unsplit),
    cacheWrite1h,
    output,
    reasoning: Math.min(readCount(readObject(raw['output_tokens_details'])['thinking_tokens']), output),
  };
}

const readUnits = (toolUse: Readonly<JsonObject>): Usage['units'] => {
  const webSearches = readCount(toolUse['web_search_requests']);
  const webFetches = readCount(toolUse['web_fetch_requests']);
  if (webSearches + webFetches === 0) return undefined;
  return { ...(webSearches > 0 ? { webSearches } : {}), ...(webFetches > 0 ? { webFetches } : {}) };
};

/**
 * Whether an iteration is billed beside the outermost counts, which are those of the model that served the response.
 * Compactions and advisors are. After a fallback, so is an attempt of another model that declined after it had begun to
 * respond; one that declined before that is free.
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback
 */
const isFurther = ({ type, model, output_tokens: output }: JsonObject, served: string | undefined): boolean =>
  type === 'compaction' ||
  type === 'advisor_message' ||
  (type === 'message' &&
    served !== undefined &&
    typeof model === 'string' &&
    model !== served &&
    readCount(output) > 0);

/** The model of the fallback that served the response. */
const readServed = (iterations: readonly JsonObject[]): string | undefined =>
  readName(iterations.findLast(({ type }) => type === 'fallback_message')?.['model']);

/** The usage of a message: of the request, and of the further calls that the vendor made for it. */
export function readUsage(raw: JsonObject): Usage {
  const iterations = readObjects(raw['iterations']);
  const served = readServed(iterations);
  const serviceTier = readName(raw['service_tier']);
  // The vendor does not report fast mode as a tier, but prices it like one.
  const tier = raw['speed'] === 'fast' ? 'fast' : serviceTier;
  const geo = readName(raw['inference_geo']);
  const region = geo === 'not_available' ? undefined : geo;
  const further = iterations
    .filter((iteration) => isFurther(iteration, served))
    .slice(0, MAX_FURTHER)
    .map((iteration): Usage => {
      const model = readName(iteration['model']);
      const ownTier = model === undefined ? tier : serviceTier;
      return omitUndefined<Usage>({ ...readCounts(iteration), tier: ownTier, region, model, source: 'provider' });
    });
  return omitUndefined<Usage>({
    ...readCounts(raw),
    units: readUnits(readObject(raw['server_tool_use'])),
    tier,
    region,
    model: served,
    further: further.length === 0 ? undefined : further,
    source: 'provider',
    raw,
  });
}

const cacheCreation = { ephemeral_5m_input_tokens: true, ephemeral_1h_input_tokens: true } as const;

/** `fallback_credit` lowers the price of cache writes by an amount that is not reported. */
export const usageMembers = defineKnownMembers({
  input_tokens: true,
  cache_read_input_tokens: true,
  cache_creation_input_tokens: true,
  cache_creation: cacheCreation,
  output_tokens: true,
  output_tokens_details: { thinking_tokens: true },
  server_tool_use: { web_search_requests: true, web_fetch_requests: true },
  service_tier: true,
  speed: true,
  inference_geo: true,
  fallback_credit: { status: { type: true, reason: true, remove_to_redeem: true } },
  iterations: {
    type: ['message', 'compaction', 'advisor_message', 'fallback_message'],
    model: true,
    input_tokens: true,
    cache_read_input_tokens: true,
    cache_creation_input_tokens: true,
    cache_creation: cacheCreation,
    output_tokens: true,
  },
});

const listFigures = (members: JsonObject): readonly (readonly [name: string, figure: unknown])[] =>
  Object.entries(members).filter(([, figure]) => figure !== null && figure !== undefined);

const mergeMember = (earlier: unknown, later: unknown): unknown =>
  isObject(earlier) && isObject(later) ? { ...earlier, ...Object.fromEntries(listFigures(later)) } : later;

/**
 * Streamed usage is cumulative: later members replace earlier ones, also within an object, and members that are missing
 * or null keep theirs.
 */
export function mergeUsage(earlier: JsonObject, later: unknown): JsonObject {
  if (!isObject(later)) return earlier;
  const figures = listFigures(later).map(([name, figure]) => [name, mergeMember(earlier[name], figure)] as const);
  const merged: JsonObject = { ...earlier, ...Object.fromEntries(figures) };
  // The start of a stream can have the split of a compaction, and its end only the lower total of the message.
  const total = later['cache_creation_input_tokens'];
  if (typeof total !== 'number' || isObject(later['cache_creation'])) return merged;
  const { cacheWrite5m, cacheWrite1h } = readCounts({ cache_creation: merged['cache_creation'] });
  if (cacheWrite5m + cacheWrite1h > total) delete merged['cache_creation'];
  return merged;
}

/** The member of the last event of a stream in which Bedrock reports usage. */
export const METRICS = 'amazon-bedrock-invocationMetrics';

/**
 * What these metrics report, as members of this wire. Only caches that no event before reported are read, with the
 * input beside them: all other counts repeat those of the events, or are too low.
 */
export function readLateCaches(earlier: JsonObject, metrics: unknown): JsonObject | undefined {
  const late = readObject(metrics);
  const [read, written] = [readCount(late['cacheReadInputTokenCount']), readCount(late['cacheWriteInputTokenCount'])];
  if (read + written === 0) return undefined;
  const { cacheRead, cacheWrite5m, cacheWrite1h } = readCounts(earlier);
  if (cacheRead + cacheWrite5m + cacheWrite1h > 0) return undefined;
  return omitUndefined({
    input_tokens: late['inputTokenCount'],
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  });
}

const writeUnits = ({ webSearches = 0, webFetches = 0 }: NonNullable<Usage['units']>): JsonObject | null =>
  webSearches + webFetches === 0 ? null : { web_search_requests: webSearches, web_fetch_requests: webFetches };

/**
 * All members that the SDK's types require are present: counts as zero, and what is not known as null. For a provider
 * that reports no usage, the input is estimated. The longest lifetime of a cache entry on this wire is an hour.
 */
export function writeUsage(known: Usage | undefined, inputEstimate: number): JsonObject {
  const usage = known ?? estimateUsage(inputEstimate, 0);
  const { cacheWrite5m, tier, region, units } = usage;
  const writes = cacheWriteTotal(usage);
  return omitUndefined({
    input_tokens: usage.inputUncached,
    cache_creation_input_tokens: writes,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: writes - cacheWrite5m },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: units === undefined ? null : writeUnits(units),
    service_tier: tier === undefined ? null : (lookUp(tierOf, tier) ?? null),
    speed: tier === 'fast' ? 'fast' : undefined,
    inference_geo: region ?? null,
  });
}
