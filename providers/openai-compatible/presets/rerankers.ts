import { definePreset } from './define-preset.ts';

/** Jina AI: rerankers and embeddings. */
export const jina = definePreset({
  name: 'jina',
  title: 'Jina AI',
  baseUrl: 'https://api.jina.ai/v1',
  env: 'JINA_API_KEY',
  hasPrices: true,
  quirks: { wires: ['rerank', 'embeddings'] },
});

/** Voyage AI: rerankers and embeddings. https://docs.voyageai.com/reference/reranker-api */
export const voyage = definePreset({
  name: 'voyage',
  title: 'Voyage AI',
  baseUrl: 'https://api.voyageai.com/v1',
  env: 'VOYAGE_API_KEY',
  hasPrices: true,
  quirks: { wires: ['rerank', 'embeddings'], body: { rename: { top_n: 'top_k' } } },
});
