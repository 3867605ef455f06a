import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  lookUp,
  readCount,
  readList,
  readObject,
  readObjects,
  readParts,
  readText,
} from '../../../core/api/codec.ts';

type Kind = 'audio' | 'image' | 'video';

/** Modalities with their own rates. Pages are billed as images. */
const kinds: Readonly<Record<string, Kind>> = { audio: 'audio', image: 'image', video: 'video', document: 'image' };

/** The tokens in lists of modalities, by kind. */
const countKinds = (...lists: readonly unknown[]): Readonly<Record<Kind, number>> => {
  const counts = { audio: 0, image: 0, video: 0 };
  for (const { modality, tokens } of lists.flatMap(readObjects)) {
    const kind = lookUp(kinds, readText(modality).toLowerCase());
    if (kind !== undefined) counts[kind] += readCount(tokens);
  }
  return counts;
};

/** More queries than any prompt causes. */
const MAX_QUERIES = 1_000;

/** What the searches of an interaction were for, each once: a repeated or empty query is not billed. */
export class SearchCount {
  readonly #queries = new Set<string>();

  /** @param step of a search that the vendor carried out; any other is ignored */
  add(step: Readonly<JsonObject>): void {
    if (step['type'] !== 'google_search_call') return;
    for (const query of readList(readObject(step['arguments'])['queries']))
      if (typeof query === 'string' && query.trim() !== '' && this.#queries.size < MAX_QUERIES)
        this.#queries.add(query);
  }

  get size(): number {
    return this.#queries.size;
  }
}

const readReportedSearches = (raw: Readonly<JsonObject>): number =>
  readObjects(raw['grounding_tool_count']).reduce(
    (sum, { type, count }) => (type === 'google_search' ? sum + readCount(count) : sum),
    0,
  );

/**
 * The usage of an interaction, `undefined` if it has none. Thoughts are not in `total_output_tokens`, and prompts of
 * tools not in `total_input_tokens`, which includes what was read from the cache.
 * https://ai.google.dev/api/interactions-api
 * @param searches the searches in the steps, which count if the usage does not report them
 * @param billsOneSearch a prompt is billed for one search, however many it caused
 */
export function readUsage(
  { usage: raw, service_tier: tier }: Readonly<JsonObject>,
  searches = 0,
  billsOneSearch = false,
): Usage | undefined {
  if (!isObject(raw)) return undefined;
  const cacheRead = readCount(raw['total_cached_tokens']);
  const reasoning = readCount(raw['total_thought_tokens']);
  const written = readCount(raw['total_output_tokens']);
  const all = readCount(raw['total_input_tokens']) + readCount(raw['total_tool_use_tokens']);
  const inputUncached = Math.max(0, all - cacheRead);
  const cached = countKinds(raw['cached_tokens_by_modality']);
  const input = countKinds(raw['input_tokens_by_modality'], raw['tool_use_tokens_by_modality']);
  const output = countKinds(raw['output_tokens_by_modality']);
  const billed = readReportedSearches(raw) || searches;
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
    ...(billed === 0 ? {} : { units: { webSearches: billsOneSearch ? 1 : billed } }),
    ...(readText(tier) === '' ? {} : { tier: readText(tier) }),
    source: 'provider',
    raw,
  };
}

const modalities = { modality: ['text', 'image', 'audio', 'video', 'document'], tokens: true } as const;

export const usageMembers = defineKnownMembers({
  total_tokens: true,
  total_input_tokens: true,
  input_tokens_by_modality: modalities,
  initial_input_tokens: true,
  total_cached_tokens: true,
  cached_tokens_by_modality: modalities,
  total_output_tokens: true,
  output_tokens_by_modality: modalities,
  total_tool_use_tokens: true,
  tool_use_tokens_by_modality: modalities,
  total_thought_tokens: true,
  grounding_tool_count: { type: ['google_search'], count: true },
});

/** The tokens by modality, if there are others than text. */
const writeKinds = (name: string, all: number, others: Readonly<Record<string, number | undefined>>): JsonObject => {
  const listed = Object.entries(others).flatMap(([modality, tokens = 0]) =>
    tokens === 0 ? [] : [{ modality, tokens }],
  );
  if (listed.length === 0) return {};
  const text = listed.reduce((left, { tokens }) => left - tokens, all);
  return { [name]: text > 0 ? [{ modality: 'text', tokens: text }, ...listed] : listed };
};

/** `usage`. The total is the sum of the written counts. */
export function writeUsage(usage: Usage): JsonObject {
  const input = inputTotal(usage);
  const written = usage.output - usage.reasoning;
  const { inputAudio = 0, cacheReadAudio = 0 } = usage;
  const searches = usage.units?.webSearches ?? 0;
  return {
    total_tokens: input + usage.output,
    total_input_tokens: input,
    ...writeKinds('input_tokens_by_modality', input, {
      audio: inputAudio + cacheReadAudio,
      image: usage.inputImage,
      video: usage.inputVideo,
    }),
    total_cached_tokens: usage.cacheRead,
    ...writeKinds('cached_tokens_by_modality', usage.cacheRead, { audio: cacheReadAudio }),
    total_output_tokens: written,
    ...writeKinds('output_tokens_by_modality', written, { audio: usage.outputAudio, image: usage.outputImage }),
    total_tool_use_tokens: 0,
    total_thought_tokens: usage.reasoning,
    ...(searches === 0 ? {} : { grounding_tool_count: [{ type: 'google_search', count: searches }] }),
  };
}
