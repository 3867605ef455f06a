import type { EmbedRequest } from '../../../core/api/index.ts';

/**
 * `:embedContent` returns one vector, `:batchEmbedContents` a list. The canonical form has only lists, so the request
 * is marked with a symbol, which is copied when the request is spread and ignored everywhere else.
 */
const SINGLE = Symbol('one content instead of a list');

export function markSingle(request: EmbedRequest): EmbedRequest {
  const marked: EmbedRequest & { readonly [SINGLE]: true } = { ...request, [SINGLE]: true };
  return marked;
}

/** Whether the client reads `embedding` instead of `embeddings`. */
export const isSingle = (request: EmbedRequest): boolean => SINGLE in request;
