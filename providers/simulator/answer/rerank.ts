import { hash } from 'node:crypto';
import type { RerankResponse } from '../../../core/api/index.ts';
import { calculateTokens } from '../tokens.ts';
import { composeUsage, createContext, formatBody, type OperationHandler } from '../transport.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The share of the words of the query that a document has. */
const scoreOf = (query: ReadonlySet<string>, document: string): number => {
  const words = wordsOf(document);
  return query.size === 0 ? 0 : [...query].filter((word) => words.has(word)).length / query.size;
};

/** Ranks documents by the words that they share with the query. */
export const rerankHandler: OperationHandler<'rerank'> = {
  readText: ({ query }) => query,
  reply: (parsed, target) => {
    const { request, settings, text } = parsed;
    const query = wordsOf(text);
    const results = request.documents
      .map((document, index) => ({ index, score: scoreOf(query, document) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, request.top);
    const tokens = calculateTokens(text.length + request.documents.join('').length);
    const response: RerankResponse = {
      model: target.model.name,
      results,
      ...composeUsage(settings, tokens),
    };
    const digest = hash('sha256', JSON.stringify([request.query, request.documents]), 'hex');
    const body = target.side.encodeResponse(response, createContext(parsed, target, { digest, tokens }));
    return { body: formatBody(body) };
  },
};
