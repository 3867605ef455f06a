import type { ShippedPrice, WrittenPrice, WrittenRates } from '../../core/api/index.ts';

const page = 'https://ai.google.dev/gemini-api/docs/pricing';

const rates = (input: number, cacheRead: number, output: number): WrittenRates => ({ input, output, cacheRead });
/** Prompts above 200k tokens. */
const long = (...row: Parameters<typeof rates>) => ({ longContext: [{ above: 200_000, ...rates(...row) }] });

/** Grounding with Google Search: of Gemini 2.5 for each prompt with searches, later for each search. */
const perPrompt = { units: { webSearches: 0.035 } };
const perSearch = { units: { webSearches: 0.014 } };

/** Priority costs 1.8 times as much. */
const priority = 1.8;

/** The standard rates, with flex and searches. Flex halves input and output; the page has its own rate of the cache. */
const flash = (input: number, cacheRead: number, output: number, flexCacheRead: number): WrittenPrice => ({
  ...rates(input, cacheRead, output),
  tiers: { flex: rates(input / 2, flexCacheRead, output / 2), priority },
  ...perSearch,
});

/** Twice the price from a day on. */
const doubled = (from: string, input: number, cacheRead: number, output: number): readonly WrittenPrice[] => [
  flash(input, cacheRead, output, cacheRead / 2),
  { from, ...flash(input * 2, cacheRead * 2, output * 2, cacheRead) },
];

const row = (models: readonly string[], price: ShippedPrice['price']): ShippedPrice => ({
  models,
  page,
  seen: '2026-11-01',
  price,
});

/**
 * Prices of Gemini models on the paid tier. `seen` is the day on which all figures of an entry were on the page:
 * docs/reference/prices.md. Thoughts cost as much as output; keeping an explicit cache is billed by the hour on top.
 * `-latest` names move: their prices are those of the models that they named on that day.
 */
export const googlePrices: readonly ShippedPrice[] = [
  row(['gemini-4-argon'], doubled('2026-12-01', 2, 0.1, 10)),
  row(['gemini-3.8-flash', 'gemini-flash-latest'], doubled('2027-01-01', 0.75, 0.075, 3.75)),
  row(['gemini-3.7-flash'], doubled('2027-01-01', 0.75, 0.075, 3.75)),
  row(['gemini-3.6-flash'], doubled('2027-01-01', 0.75, 0.075, 3.75)),
  row(['gemini-3.5-flash'], flash(1.5, 0.15, 9, 0.08)),
  row(['gemini-3.5-flash-lite', 'gemini-flash-lite-latest'], {
    ...rates(0.3, 0.03, 2.5),
    tiers: { flex: rates(0.15, 0.02, 1.25), priority: rates(0.54, 0.05, 4.5) },
    ...perSearch,
  }),
  row(['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools', 'gemini-pro-latest'], {
    ...rates(2, 0.2, 12),
    ...long(4, 0.4, 18),
    tiers: { flex: { ...rates(1, 0.2, 6), ...long(2, 0.4, 9) }, priority },
    ...perSearch,
  }),
  row(['gemini-3.1-flash-lite'], {
    ...rates(0.25, 0.025, 1.5),
    inputAudio: 0.5,
    cacheReadAudio: 0.05,
    tiers: { flex: { ...rates(0.125, 0.0125, 0.75), inputAudio: 0.25, cacheReadAudio: 0.025 }, priority },
    ...perSearch,
  }),
  row(['gemini-3-flash-preview'], {
    ...rates(0.5, 0.05, 3),
    inputAudio: 1,
    cacheReadAudio: 0.1,
    tiers: { flex: { ...rates(0.25, 0.05, 1.5), inputAudio: 0.5, cacheReadAudio: 0.1 }, priority },
    ...perSearch,
  }),
  row(['gemini-2.5-pro'], {
    ...rates(1.25, 0.125, 10),
    ...long(2.5, 0.25, 15),
    tiers: { flex: { ...rates(0.625, 0.125, 5), ...long(1.25, 0.25, 7.5) }, priority },
    ...perPrompt,
  }),
  row(['gemini-2.5-flash'], {
    ...rates(0.3, 0.03, 2.5),
    inputAudio: 1,
    cacheReadAudio: 0.1,
    tiers: { flex: { ...rates(0.15, 0.03, 1.25), inputAudio: 0.5, cacheReadAudio: 0.1 }, priority },
    ...perPrompt,
  }),
  row(['gemini-2.5-flash-lite'], {
    ...rates(0.1, 0.01, 0.4),
    inputAudio: 0.3,
    cacheReadAudio: 0.03,
    tiers: { flex: { ...rates(0.05, 0.01, 0.2), inputAudio: 0.15, cacheReadAudio: 0.03 }, priority },
    ...perPrompt,
  }),

  row(['gemini-3-pro-image'], {
    input: 2,
    output: 12,
    outputImage: 120,
    tiers: { flex: { input: 1, output: 6, outputImage: 60 }, priority },
    ...perSearch,
  }),
  row(['gemini-3.1-flash-image'], { input: 0.5, output: 3, outputImage: 60, ...perSearch }),
  row(['gemini-3.1-flash-lite-image'], { input: 0.25, output: 1.5, outputImage: 30 }),

  row(['gemini-embedding-2'], { input: 0.2, output: 0, inputAudio: 6.5, inputImage: 0.45, inputVideo: 12 }),
  row(['gemini-embedding-001'], { input: 0.15, output: 0 }),
];

/** Open models in the Gemini API: free of charge, and not on the paid tier. Those of Vertex AI have other prices. */
export const gemmaPrices: readonly ShippedPrice[] = [
  row(['gemma-3-27b-it', 'gemma-4-26b-a4b-it', 'gemma-4-31b-it'], { input: 0, output: 0 }),
];
