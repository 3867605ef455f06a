import { defineSpelling } from '../../../../../core/api/codec.ts';

/**
 * Members that limit, price or route a request. The vendor accepts two spellings of each:
 * https://protobuf.dev/programming-guides/json/
 */
export const spelling = defineSpelling(
  {
    model: true,
    contents: true,
    generationConfig: {
      maxOutputTokens: true,
      candidateCount: true,
      thinkingConfig: { thinkingBudget: true, thinkingLevel: true, includeThoughts: true },
      responseModalities: true,
    },
    tools: true,
    cachedContent: true,
    serviceTier: true,
    store: true,
  },
  'ignored',
);
