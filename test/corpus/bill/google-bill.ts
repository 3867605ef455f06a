import { bodiesOf, countOf, listOf, objectOf, tierOf, type Bill, type Json } from './bill.ts';

const modalities = ['MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'];

/** By name or number. Documents are billed as images: https://cloud.google.com/vertex-ai/generative-ai/pricing */
const modalityOf = ({ modality }: Json): unknown => {
  const name = typeof modality === 'number' ? modalities[modality] : modality;
  return name === 'DOCUMENT' ? 'IMAGE' : name;
};

const ofModality = (modality: string, ...lists: readonly unknown[]): number =>
  lists
    .flatMap(listOf)
    .filter((entry) => modalityOf(entry) === modality)
    .reduce((sum, { tokenCount }) => sum + countOf(tokenCount), 0);

/** Counts that are smaller than their share are capped by it, one after the other. */
export const within = (whole: number, wanted: readonly number[]): readonly number[] => {
  let left = whole;
  return wanted.map((count) => {
    const taken = Math.max(0, Math.min(count, left));
    left -= taken;
    return taken;
  });
};

/**
 * Gemini 3 bills each query, earlier generations each prompt that was grounded; empty queries are free. Chunks repeat
 * queries. https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
const searchesOf = (bodies: readonly Json[], model: string): number => {
  const queries = bodies
    .flatMap((body) => listOf(body['candidates']))
    .flatMap((candidate) => objectOf(candidate['groundingMetadata'])['webSearchQueries'] ?? [])
    .filter((query) => query !== '');
  const count = new Set(queries).size;
  return /gemini-[12]/.test(model) ? Math.min(1, count) : count;
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse#TrafficType */
const tierOfTraffic: Readonly<Record<string, string>> = { ON_DEMAND_FLEX: 'flex', ON_DEMAND_PRIORITY: 'priority' };

/** https://ai.google.dev/api/generate-content#UsageMetadata. The counts of a stream are cumulative. */
export const readGoogleBill = (text: string, model: string): readonly Bill[] => {
  const bodies = bodiesOf(text);
  let usage: Json = {};
  for (const body of bodies) {
    const found = objectOf(body['usageMetadata']);
    usage = 'totalTokenCount' in found ? found : { ...usage, ...found };
  }
  if (!Object.keys(usage).some((name) => name.endsWith('TokenCount'))) return [];
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
      ...tierOf(usage['serviceTier'] ?? tierOfTraffic[String(usage['trafficType'])]),
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
        webSearches: searchesOf(bodies, model),
      },
    },
  ];
};
