import { readPriceFile } from '../../../core/api/internal.ts';
import { definePreset } from './define-preset.ts';

/** Jina AI: rerankers and embeddings. */
export const jina = definePreset({
  name: 'jina',
  title: 'Jina AI',
  baseUrl: 'https://api.jina.ai/v1',
  env: 'JINA_API_KEY',
  prices: readPriceFile(new URL('./prices/jina.yaml', import.meta.url)),
  quirks: { wires: ['rerank', 'embeddings'] },
});

/** Voyage AI: rerankers and embeddings. https://docs.voyageai.com/reference/reranker-api */
export const voyage = definePreset({
  name: 'voyage',
  title: 'Voyage AI',
  baseUrl: 'https://api.voyageai.com/v1',
  env: 'VOYAGE_API_KEY',
  prices: readPriceFile(new URL('./prices/voyage.yaml', import.meta.url)),
  quirks: { wires: ['rerank', 'embeddings'], body: { rename: { top_n: 'top_k' } } },
});
