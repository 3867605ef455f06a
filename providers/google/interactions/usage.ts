import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  lookUp,
  readCount,
  readObject,
  readObjects,
  readText,
} from '../../../core/api/codec.ts';
import { composeUsage, createKindReader, createKindWriter } from '../generate-content/usage.ts';
import type { BilledQueries } from '../generate-content/web-search.ts';

/** Modalities with their own rates. Pages are billed as images. */
const kinds = { audio: 'audio', image: 'image', video: 'video', document: 'image' } as const;
const countKinds = createKindReader((modality) => lookUp(kinds, readText(modality).toLowerCase()), 'tokens');

/** Counts a step, or a delta of one, if it is a search that the vendor carried out. */
export function countSearch(searches: BilledQueries, { type, arguments: search }: Readonly<JsonObject>): void {
  if (type === 'google_search_call') searches.add(readObject(search)['queries']);
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
  const usage = composeUsage(raw, readText(tier), {
    all: readCount(raw['total_input_tokens']) + readCount(raw['total_tool_use_tokens']),
    cacheRead: readCount(raw['total_cached_tokens']),
    written: readCount(raw['total_output_tokens']),
    reasoning: readCount(raw['total_thought_tokens']),
    input: countKinds(raw['input_tokens_by_modality'], raw['tool_use_tokens_by_modality']),
    cached: countKinds(raw['cached_tokens_by_modality']),
    output: countKinds(raw['output_tokens_by_modality']),
  });
  const billed = readReportedSearches(raw) || searches;
  return billed === 0 ? usage : { ...usage, units: { webSearches: billsOneSearch ? 1 : billed } };
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

const writeKinds = createKindWriter('text', 'tokens');

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
