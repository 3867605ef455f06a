import type { RerankRequest } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** Cohere's models refuse a body without it: https://github.com/cohere-ai/cohere-python/issues/613 */
const API_VERSION = 2;

/**
 * The model is in the path. Results have no documents on this wire. The client's side writes them from the request
 * where it has them.
 */
export const encodeRequest = (
  { query, documents, top, withDocuments: _written, extra }: RerankRequest,
  { model }: TargetProfile,
  lose: Lose,
) => ({
  body: omitUndefined({
    query,
    documents,
    top_n: top,
    api_version: model.includes('cohere.') ? API_VERSION : undefined,
    ...writeExtraMembers(extra, WIRE, lose),
  }),
  headers: {},
});
