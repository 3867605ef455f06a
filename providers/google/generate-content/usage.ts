import {
  inputTotal,
  type JsonObject,
  lookUp,
  readCount,
  readObjects,
  readParts,
  readText,
  type Usage,
} from '../../../core/index.ts';

/** Tiers of Vertex AI, which has a word of its own for them. */
const tierOfTraffic: Readonly<Record<string, string>> = {
  ON_DEMAND: 'standard',
  ON_DEMAND_FLEX: 'flex',
  ON_DEMAND_PRIORITY: 'priority',
};

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'] as const;

/** Some chunks tell the kind of traffic and no count. */
export const hasCounts = (raw: Readonly<JsonObject>): boolean => counts.some((name) => typeof raw[name] === 'number');

/** Tokens of one kind, by the lists that tell them apart. */
const countKind = (kind: string, ...lists: readonly unknown[]): number =>
  lists
    .flatMap(readObjects)
    .reduce((sum, entry) => (entry['modality'] === kind ? sum + readCount(entry['tokenCount']) : sum), 0);

/**
 * `promptTokenCount` includes what came from the cache, `toolUsePromptTokenCount` is beside it, and `candidatesTokenCount` leaves out the thoughts.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(raw: Readonly<JsonObject>): Usage {
  const cacheRead = readCount(raw['cachedContentTokenCount']);
  const reasoning = readCount(raw['thoughtsTokenCount']);
  const candidates = readCount(raw['candidatesTokenCount']);
  const tier = readText(raw['serviceTier']) || lookUp(tierOfTraffic, readText(raw['trafficType']));
  const inputUncached = Math.max(
    0,
    readCount(raw['promptTokenCount']) + readCount(raw['toolUsePromptTokenCount']) - cacheRead,
  );
  const uncached = (kind: string): number =>
    countKind(kind, raw['promptTokensDetails'], raw['toolUsePromptTokensDetails']) -
    countKind(kind, raw['cacheTokensDetails']);
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: candidates + reasoning,
    reasoning,
    ...readParts(inputUncached, { inputAudio: uncached('AUDIO'), inputImage: uncached('IMAGE') }),
    ...readParts(candidates, {
      outputAudio: countKind('AUDIO', raw['candidatesTokensDetails']),
      outputImage: countKind('IMAGE', raw['candidatesTokensDetails']),
    }),
    ...(tier === undefined ? {} : { tier: tier.toLowerCase() }),
    source: 'provider',
    raw,
  };
}

/** Streamed figures are cumulative: a later total replaces all of the earlier ones, a chunk without a total only what it names. */
export const mergeUsage = (earlier: Readonly<JsonObject>, later: Readonly<JsonObject>): Readonly<JsonObject> =>
  'totalTokenCount' in later ? later : { ...earlier, ...later };

/** The tiers that the wire's own answers name. */
const tiers: Readonly<Record<string, string>> = {
  standard: 'standard',
  default: 'standard',
  flex: 'flex',
  priority: 'priority',
};

/** The kinds of a count, where there were others than text. */
const writeDetails = (name: string, all: number, audio: number | undefined, image: number | undefined): JsonObject => {
  if (audio === undefined && image === undefined) return {};
  const kinds = { TEXT: all - (audio ?? 0) - (image ?? 0), AUDIO: audio ?? 0, IMAGE: image ?? 0 };
  return {
    [name]: Object.entries(kinds).flatMap(([modality, tokenCount]) =>
      tokenCount === 0 ? [] : [{ modality, tokenCount }],
    ),
  };
};

/** `usageMetadata`: the total is the sum of what is written. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  const tier = lookUp(tiers, usage.tier ?? '');
  return {
    promptTokenCount: input,
    candidatesTokenCount: usage.output - usage.reasoning,
    totalTokenCount: input + usage.output,
    ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
    ...writeDetails('promptTokensDetails', input, usage.inputAudio, usage.inputImage),
    ...writeDetails('candidatesTokensDetails', usage.output - usage.reasoning, usage.outputAudio, usage.outputImage),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
}
