import { hash } from 'node:crypto';
import type { RerankResponse } from '../../../core/api/index.ts';
import { noTokens } from '../../../core/api/codec.ts';
import { plainBytes } from '../stream.ts';
import { calculateTokens } from '../tokens.ts';
import { createContext, formatBody, PLAIN, type OperationHandler } from '../transport.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The share of the words of the query that a document has. */
const scoreOf = (query: ReadonlySet<string>, document: string): number => {
  const words = wordsOf(document);
  return query.size === 0 ? 0 : [...query].filter((word) => words.has(word)).length / query.size;
};

/** Ranks documents by the words that they share with the query. */
export const rerankHandler: OperationHandler<'rerank'> = {
  readText: ({ query }) => query,
  check: () => {},
  reply: (parsed, target, pacer) => {
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
      ...(settings.usage === false
        ? {}
        : {
            usage: {
              ...noTokens,
              inputUncached: settings.pinned?.inputUncached ?? tokens,
              source: 'provider',
            },
          }),
    };
    const digest = hash('sha256', JSON.stringify([request.query, request.documents]), 'hex');
    const body = target.side.encodeResponse(response, createContext(parsed, target, { digest, tokens }));
    return { status: 200, headers: PLAIN, body: plainBytes(formatBody(body), settings, pacer) };
  },
};
