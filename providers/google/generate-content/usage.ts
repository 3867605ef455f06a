import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { lookUp, readCount, readObjects, readParts, readText } from '../../../core/api/codec.ts';

/** Vertex AI reports the tier as a traffic type. */
const tierOfTraffic: Readonly<Record<string, string>> = {
  ON_DEMAND: 'standard',
  ON_DEMAND_FLEX: 'flex',
  ON_DEMAND_PRIORITY: 'priority',
};

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'] as const;

/** Whether usage has counts: some chunks have only the traffic type. */
export const hasCounts = (raw: Readonly<JsonObject>): boolean => counts.some((name) => typeof raw[name] === 'number');

/** The tokens of one modality in the lists of details. */
const countKind = (kind: string, ...lists: readonly unknown[]): number =>
  lists
    .flatMap(readObjects)
    .reduce((sum, entry) => (entry['modality'] === kind ? sum + readCount(entry['tokenCount']) : sum), 0);

/**
 * `promptTokenCount` includes cached tokens, `toolUsePromptTokenCount` is counted separately, and
 * `candidatesTokenCount` excludes thoughts.
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

/**
 * Streamed usage is cumulative: usage with a total replaces the earlier one, usage without a total only its own
 * members.
 */
export const mergeUsage = (earlier: Readonly<JsonObject>, later: Readonly<JsonObject>): Readonly<JsonObject> =>
  'totalTokenCount' in later ? later : { ...earlier, ...later };

/** Tiers as this wire reports them. */
const tiers: Readonly<Record<string, string>> = {
  standard: 'standard',
  default: 'standard',
  flex: 'flex',
  priority: 'priority',
};

/** The tokens by modality, if there are others than text. */
const writeDetails = (name: string, all: number, audio: number | undefined, image: number | undefined): JsonObject => {
  if (audio === undefined && image === undefined) return {};
  const kinds = { TEXT: all - (audio ?? 0) - (image ?? 0), AUDIO: audio ?? 0, IMAGE: image ?? 0 };
  return {
    [name]: Object.entries(kinds).flatMap(([modality, tokenCount]) =>
      tokenCount === 0 ? [] : [{ modality, tokenCount }],
    ),
  };
};

/** `usageMetadata`. The total is the sum of the written counts. */
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
