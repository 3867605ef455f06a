import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  lookUp,
  readCount,
  readObject,
  readObjects,
  readParts,
  readText,
} from '../../../core/api/codec.ts';
import { reportTier } from '../settings.ts';
import { BilledQueries } from './web-search.ts';

/** Vertex AI reports the tier as a traffic type. */
const tierOfTraffic: Readonly<Record<string, string>> = {
  ON_DEMAND: 'standard',
  ON_DEMAND_FLEX: 'flex',
  ON_DEMAND_PRIORITY: 'priority',
  ON_DEMAND_OFFPEAK: 'offpeak',
  PROVISIONED_THROUGHPUT: 'provisioned_throughput',
};

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'] as const;

/** Whether usage has counts: some chunks have only the traffic type. */
export const hasCounts = (raw: Readonly<JsonObject>): boolean => counts.some((name) => typeof raw[name] === 'number');

/** Modalities with their own rates, by name, and by number as some servers send them. Pages are billed as images. */
const kindOfModality = new Map<unknown, Kind>([
  ['IMAGE', 'image'],
  [2, 'image'],
  ['VIDEO', 'video'],
  [3, 'video'],
  ['AUDIO', 'audio'],
  [4, 'audio'],
  ['DOCUMENT', 'image'],
  [5, 'image'],
]);

type Kind = 'audio' | 'image' | 'video';

/** Creates a reader of the tokens in lists of details, by kind. @param member the one with the count of a modality */
export const createKindReader =
  (kindOf: (modality: unknown) => Kind | undefined, member: string) =>
  (...lists: readonly unknown[]): Readonly<Record<Kind, number>> => {
    const kinds = { audio: 0, image: 0, video: 0 };
    for (const list of lists) {
      if (!Array.isArray(list)) continue;
      for (const entry of list) {
        const detail = readObject(entry);
        const kind = kindOf(detail['modality']);
        if (kind !== undefined) kinds[kind] += readCount(detail[member]);
      }
    }
    return kinds;
  };

const countKinds = createKindReader((modality) => kindOfModality.get(modality), 'tokenCount');

/** What a usage of either wire counts, each under names of its own. */
interface Counts {
  /** All of the input, with what was read from the cache. */
  readonly all: number;
  readonly cacheRead: number;
  /** The output without thoughts. */
  readonly written: number;
  readonly reasoning: number;
  readonly input: Readonly<Record<Kind, number>>;
  readonly cached: Readonly<Record<Kind, number>>;
  readonly output: Readonly<Record<Kind, number>>;
}

/** @param tier empty: not reported */
export function composeUsage(raw: Readonly<JsonObject>, tier: string, counts: Counts): Usage {
  const { all, cacheRead, written, reasoning, input, cached, output } = counts;
  const inputUncached = Math.max(0, all - cacheRead);
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: written + reasoning,
    reasoning,
    ...readParts(inputUncached, {
      inputAudio: input.audio - cached.audio,
      inputImage: input.image - cached.image,
      inputVideo: input.video - cached.video,
    }),
    ...readParts(cacheRead, { cacheReadAudio: cached.audio }),
    ...readParts(written, { outputAudio: output.audio, outputImage: output.image }),
    ...(tier === '' ? {} : { tier }),
    source: 'provider',
    raw,
  };
}

/**
 * `promptTokenCount` includes cached tokens, `toolUsePromptTokenCount` is counted separately, and
 * `candidatesTokenCount` excludes thoughts.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(raw: Readonly<JsonObject>): Usage {
  const tier = readText(raw['serviceTier']) || (lookUp(tierOfTraffic, readText(raw['trafficType'])) ?? '');
  // `promptTokenDetails` is the name in responses to embedContent.
  const { promptTokensDetails, promptTokenDetails, toolUsePromptTokensDetails } = raw;
  return composeUsage(raw, tier.toLowerCase(), {
    all: readCount(raw['promptTokenCount']) + readCount(raw['toolUsePromptTokenCount']),
    cacheRead: readCount(raw['cachedContentTokenCount']),
    written: readCount(raw['candidatesTokenCount']),
    reasoning: readCount(raw['thoughtsTokenCount']),
    input: countKinds(promptTokensDetails, promptTokenDetails, toolUsePromptTokensDetails),
    cached: countKinds(raw['cacheTokensDetails']),
    output: countKinds(raw['candidatesTokensDetails']),
  });
}

/** Searches that the vendor has billed, where it reports them. */
const readBilledSearches = (raw: Readonly<JsonObject>): number =>
  readObjects(raw['billedToolCalls']).reduce(
    (sum, { tool, successfulToolCallCount: count }) =>
      readText(tool).toUpperCase().startsWith('GOOGLE_SEARCH') ? sum + readCount(count) : sum,
    0,
  );

const details = {
  modality: ['MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'],
  tokenCount: true,
} as const;

export const usageMembers = defineKnownMembers({
  promptTokenCount: true,
  promptTokensDetails: details,
  promptTokenDetails: details,
  cachedContentTokenCount: true,
  cacheTokensDetails: details,
  toolUsePromptTokenCount: true,
  toolUsePromptTokensDetails: details,
  initialPromptTokenCount: true,
  candidatesTokenCount: true,
  candidatesTokensDetails: details,
  thoughtsTokenCount: true,
  totalTokenCount: true,
  trafficType: true,
  serviceTier: true,
  billedToolCalls: {
    tool: ['GOOGLE_SEARCH', 'GOOGLE_SEARCH_RETRIEVAL', 'google_search', 'google_search_retrieval'],
    successfulToolCallCount: true,
  },
});

/**
 * Streamed usage is cumulative: usage with a total replaces the earlier one, usage without a total only its own
 * members.
 */
export const mergeUsage = (earlier: Readonly<JsonObject>, later: Readonly<JsonObject>): Readonly<JsonObject> =>
  'totalTokenCount' in later ? later : { ...earlier, ...later };

/**
 * Creates a writer of the tokens by modality, if there are others than text.
 * @param text the modality of text
 * @param member the one with the count of a modality
 */
export const createKindWriter =
  (text: string, member: string) =>
  (name: string, all: number, kinds: Readonly<Record<string, number | undefined>>): JsonObject => {
    const others = Object.entries(kinds).filter(([, count = 0]) => count !== 0);
    if (others.length === 0) return {};
    const left = others.reduce((rest, [, count = 0]) => rest - count, all);
    const written = left > 0 ? [[text, left] as const, ...others] : others;
    return { [name]: written.map(([modality, count]) => ({ modality, [member]: count })) };
  };

const writeDetails = createKindWriter('TEXT', 'tokenCount');

/** `usageMetadata`. The total is the sum of the written counts. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  const candidates = usage.output - usage.reasoning;
  const tier = reportTier(usage.tier);
  const { inputAudio = 0, cacheReadAudio = 0 } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: candidates,
    totalTokenCount: input + usage.output,
    ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
    ...writeDetails('promptTokensDetails', input, {
      AUDIO: inputAudio + cacheReadAudio,
      IMAGE: usage.inputImage,
      VIDEO: usage.inputVideo,
    }),
    ...writeDetails('cacheTokensDetails', usage.cacheRead, { AUDIO: cacheReadAudio }),
    ...writeDetails('candidatesTokensDetails', candidates, { AUDIO: usage.outputAudio, IMAGE: usage.outputImage }),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
}

/**
 * Reads the usage of a response, chunk by chunk. The searches are in the candidates: only some responses have them in
 * the usage (`billedToolCalls`).
 */
export class UsageReader {
  readonly #billsOneSearch: boolean;
  readonly #queries = new BilledQueries();
  #raw: Readonly<JsonObject> = {};

  /** @param billsOneSearch a prompt is billed for one search, however many it caused */
  constructor(billsOneSearch = false) {
    this.#billsOneSearch = billsOneSearch;
  }

  /** Returns the usage so far, if the chunk changed it. */
  read({ usageMetadata }: JsonObject, candidates: readonly JsonObject[]): Usage | undefined {
    const before = this.#queries.size;
    for (const { groundingMetadata } of candidates)
      if (groundingMetadata !== undefined) this.#queries.add(readObject(groundingMetadata)['webSearchQueries']);
    if (isObject(usageMetadata)) {
      this.#raw = mergeUsage(this.#raw, usageMetadata);
      if (hasCounts(usageMetadata)) return this.#total();
    }
    return this.#queries.size > before && hasCounts(this.#raw) ? this.#total() : undefined;
  }

  #total(): Usage {
    const usage = readUsage(this.#raw);
    const searches = readBilledSearches(this.#raw) || this.#queries.size;
    if (searches === 0) return usage;
    return { ...usage, units: { webSearches: this.#billsOneSearch ? 1 : searches } };
  }
}
