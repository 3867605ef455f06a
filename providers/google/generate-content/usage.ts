import { inputTotal, lookUp, readCount, type JsonObject, type Usage } from '../../../core/index.ts';
import { readText } from './shape.ts';

/** Tiers of Vertex AI, which has a word of its own for them. */
const tierOfTraffic: Readonly<Record<string, string>> = { ON_DEMAND: 'standard', ON_DEMAND_FLEX: 'flex', ON_DEMAND_PRIORITY: 'priority' };

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'] as const;

/** Some chunks tell the kind of traffic and no count. */
export const holdsCounts = (raw: Readonly<JsonObject>): boolean => counts.some((name) => typeof raw[name] === 'number');

/**
 * `promptTokenCount` includes what came from the cache, `toolUsePromptTokenCount` is beside it, and `candidatesTokenCount` leaves out the thoughts.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export const readUsage = (raw: Readonly<JsonObject>): Usage => {
  const cacheRead = readCount(raw['cachedContentTokenCount']);
  const reasoning = readCount(raw['thoughtsTokenCount']);
  const tier = readText(raw['serviceTier']) || lookUp(tierOfTraffic, readText(raw['trafficType']));
  return {
    inputUncached: Math.max(0, readCount(raw['promptTokenCount']) + readCount(raw['toolUsePromptTokenCount']) - cacheRead),
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: readCount(raw['candidatesTokenCount']) + reasoning,
    reasoning,
    ...(tier === undefined ? {} : { tier: tier.toLowerCase() }),
    source: 'provider',
    raw,
  };
};

/** Streamed figures are cumulative: a later total replaces all of the earlier ones, a chunk without a total only what it names. */
export const mergeUsage = (earlier: Readonly<JsonObject>, later: Readonly<JsonObject>): Readonly<JsonObject> => ('totalTokenCount' in later ? later : { ...earlier, ...later });

/** The tiers that the wire's own answers name. */
const tiers: Readonly<Record<string, string>> = { standard: 'standard', default: 'standard', flex: 'flex', priority: 'priority' };

/** `usageMetadata`: the total is the sum of what is written. */
export const writeUsage = (usage: Usage): JsonObject => {
  const input = inputTotal(usage);
  const tier = lookUp(tiers, usage.tier ?? '');
  return {
    promptTokenCount: input,
    candidatesTokenCount: usage.output - usage.reasoning,
    totalTokenCount: input + usage.output,
    ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
};
