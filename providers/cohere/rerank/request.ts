import { invalidRequest, type JsonObject, type RerankRequest } from '../../../core/api/index.ts';
import {
  type DecodedRequest,
  defineSpelling,
  type InboundRequest,
  omitUndefined,
  readMembers,
  type Lose,
  type TargetProfile,
  writeExtraMembers,
} from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

const MAX_DOCUMENTS = 10_000;

/** Members that limit, price or route a request. */
export const spelling = defineSpelling({ model: true, query: true, documents: true, top_n: true });

/**
 * https://docs.cohere.com/reference/rerank. Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest({ body: value }: InboundRequest): DecodedRequest<'rerank'> {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const query = body.requiredString('query');
  const documents = body.strings('documents');
  if (documents === undefined) throw invalidRequest('documents', "'documents' is required.");
  if (documents.length === 0) throw invalidRequest('documents', "'documents' is empty; there is nothing to rank.");
  if (documents.length > MAX_DOCUMENTS)
    throw invalidRequest(
      'documents',
      `'documents' has ${documents.length} texts; at most ${MAX_DOCUMENTS} can be sent.`,
    );
  const top = body.number('top_n', { integer: true, min: 1 });
  return {
    model,
    request: omitUndefined({ query, documents, top, extra: { wire: WIRE, members: body.unread() } }),
  };
}

/** Results have no documents on this wire. The client's side writes them from the request where it has them. */
export const encodeRequest = (
  { query, documents, top, withDocuments: _written, extra }: RerankRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } => ({
  body: omitUndefined({ model, query, documents, top_n: top, ...writeExtraMembers(extra, WIRE, lose) }),
  headers: {},
});
