import { bodiesOf, countOf, listOf, objectOf, type Bill, type Json } from './bill.ts';

const ofModality = (modality: string, ...lists: readonly unknown[]): number =>
  lists
    .flatMap(listOf)
    .filter((entry) => entry['modality'] === modality)
    .reduce((sum, { tokenCount }) => sum + countOf(tokenCount), 0);

/** Counts that are smaller than their share are capped by it, one after the other. */
const within = (whole: number, wanted: readonly number[]): readonly number[] => {
  let left = whole;
  return wanted.map((count) => {
    const taken = Math.max(0, Math.min(count, left));
    left -= taken;
    return taken;
  });
};
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The queries of the last chunk that has any: chunks repeat them. */
const searchesOf = (bodies: readonly Json[]): number =>
  Math.max(
    0,
    ...bodies.map((body) =>
      sum(
        listOf(body['candidates']).map((candidate) => {
          const queries = objectOf(candidate['groundingMetadata'])['webSearchQueries'];
          return Array.isArray(queries) ? queries.length : 0;
        }),
      ),
    ),
  );

/** https://ai.google.dev/api/generate-content#UsageMetadata. The counts of a stream are cumulative. */
export const readGoogleBill = (text: string): readonly Bill[] => {
  const bodies = bodiesOf(text);
  let usage: Json = {};
  for (const body of bodies) {
    const found = objectOf(body['usageMetadata']);
    usage = 'totalTokenCount' in found ? found : { ...usage, ...found };
  }
  if (!Object.keys(usage).some((name) => /TokenCount$/.test(name))) return [];
  const cached = countOf(usage['cachedContentTokenCount']);
  const reasoning = countOf(usage['thoughtsTokenCount']);
  const candidates = countOf(usage['candidatesTokenCount']);
  const prompt = countOf(usage['promptTokenCount']) + countOf(usage['toolUsePromptTokenCount']);
  const uncached = Math.max(0, prompt - cached);
  const kinds = ['AUDIO', 'IMAGE', 'VIDEO'].map(
    (modality) =>
      ofModality(modality, usage['promptTokensDetails'], usage['toolUsePromptTokensDetails']) -
      ofModality(modality, usage['cacheTokensDetails']),
  );
  const [inputAudio = 0, inputImage = 0, inputVideo = 0] = within(uncached, kinds);
  const [cacheReadAudio = 0] = within(cached, [ofModality('AUDIO', usage['cacheTokensDetails'])]);
  const [outputAudio = 0, outputImage = 0] = within(
    candidates,
    ['AUDIO', 'IMAGE'].map((modality) => ofModality(modality, usage['candidatesTokensDetails'])),
  );
  return [
    {
      counts: {
        input: uncached - inputAudio - inputImage - inputVideo,
        inputAudio,
        inputImage,
        inputVideo,
        cacheRead: cached - cacheReadAudio,
        cacheReadAudio,
        output: candidates - outputAudio - outputImage,
        reasoning,
        outputAudio,
        outputImage,
        webSearches: searchesOf(bodies),
      },
    },
  ];
};
