import { bodiesOf, countOf, listOf, objectOf, tierOf, type Bill, type Json } from './bill.ts';
import { within } from './google-bill.ts';

const ofModality = (names: readonly string[], ...lists: readonly unknown[]): number =>
  lists
    .flatMap(listOf)
    .filter(({ modality }) => names.includes(String(modality)))
    .reduce((sum, { tokens }) => sum + countOf(tokens), 0);

/** Documents are billed as images. */
const kinds = [['audio'], ['image', 'document'], ['video']] as const;

/** The queries of a step or a delta. */
const queriesOf = (value: unknown): readonly unknown[] => {
  const { queries } = objectOf(objectOf(value)['arguments']);
  return Array.isArray(queries) ? queries : [];
};

/**
 * The vendor counts searches in its usage; where it does not, the queries count, each once. Before Gemini 3 a prompt
 * with searches is billed once. https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
const searchesOf = (usage: Json, steps: readonly Json[], model: string): number => {
  const counted = listOf(usage['grounding_tool_count'])
    .filter(({ type }) => type === 'google_search')
    .reduce((sum, { count }) => sum + countOf(count), 0);
  const count = counted || new Set(steps.flatMap(queriesOf).filter((query) => query !== '')).size;
  return /gemini-[12]/.test(model) ? Math.min(1, count) : count;
};

/** https://ai.google.dev/api/interactions-api. Thoughts are beside the output, and prompts of tools beside the input. */
export const readInteractionsBill = (text: string, model: string): readonly Bill[] => {
  const bodies = bodiesOf(text);
  const last = bodies.map((body) => objectOf(body['interaction'] ?? body)).findLast((body) => 'usage' in body);
  if (last === undefined) return [];
  const usage = objectOf(last['usage']);
  const steps = bodies.flatMap(({ steps: listed, step, delta }) => [
    ...listOf(listed),
    objectOf(step),
    objectOf(delta),
  ]);
  const cached = countOf(usage['total_cached_tokens']);
  const uncached = Math.max(0, countOf(usage['total_input_tokens']) + countOf(usage['total_tool_use_tokens']) - cached);
  const [inputAudio = 0, inputImage = 0, inputVideo = 0] = within(
    uncached,
    kinds.map(
      (names) =>
        ofModality(names, usage['input_tokens_by_modality'], usage['tool_use_tokens_by_modality']) -
        ofModality(names, usage['cached_tokens_by_modality']),
    ),
  );
  const [cacheReadAudio = 0] = within(cached, [ofModality(['audio'], usage['cached_tokens_by_modality'])]);
  const output = countOf(usage['total_output_tokens']);
  const [outputAudio = 0, outputImage = 0] = within(
    output,
    kinds.slice(0, 2).map((names) => ofModality(names, usage['output_tokens_by_modality'])),
  );
  return [
    {
      ...tierOf(last['service_tier']),
      counts: {
        input: uncached - inputAudio - inputImage - inputVideo,
        inputAudio,
        inputImage,
        inputVideo,
        cacheRead: cached - cacheReadAudio,
        cacheReadAudio,
        output: output - outputAudio - outputImage,
        reasoning: countOf(usage['total_thought_tokens']),
        outputAudio,
        outputImage,
        webSearches: searchesOf(usage, steps, model),
      },
    },
  ];
};
