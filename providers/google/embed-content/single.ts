import type { EmbedRequest } from '../../../core/index.ts';

/**
 * `:embedContent` asks for one vector and is answered with one, `:batchEmbedContents` with a list. The canonical form has lists only, so the request
 * is marked: a symbol rides along when the request is spread and is invisible to everyone else.
 */
const SINGLE = Symbol('one content instead of a list');

export function markSingle(request: EmbedRequest): EmbedRequest {
  const marked: EmbedRequest & { readonly [SINGLE]: true } = { ...request, [SINGLE]: true };
  return marked;
}

/** Does this client read `embedding` instead of `embeddings`? */
export const isSingle = (request: EmbedRequest): boolean => SINGLE in request;
