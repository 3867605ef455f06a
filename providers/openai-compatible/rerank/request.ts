import { invalidRequest, type RerankRequest } from '../../../core/api/index.ts';
import {
  type DecodedRequest,
  defineSpelling,
  type InboundRequest,
  isObject,
  omitUndefined,
  readMembers,
  writeExtraMembers,
  type UpstreamSide,
} from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

const MAX_DOCUMENTS = 10_000;

export const spelling = defineSpelling({
  model: true,
  query: true,
  documents: true,
  top_n: true,
  models: true,
  provider: true,
  api_base: true,
  api_key: true,
  base_url: true,
});

/** A text, or an object with it; undefined for anything else. */
const textOf = (document: unknown): string | undefined => {
  const text = isObject(document) ? document['text'] : document;
  return typeof text === 'string' ? text : undefined;
};

/** The documents, and the paths of those that are no texts. */
const readDocuments = (value: unknown): Pick<RerankRequest, 'documents' | 'media'> => {
  if (!Array.isArray(value))
    throw invalidRequest('documents', "'documents' must be a list of texts, or of objects with 'text'.");
  if (value.length === 0) throw invalidRequest('documents', "'documents' is empty; there is nothing to rank.");
  if (value.length > MAX_DOCUMENTS)
    throw invalidRequest('documents', `'documents' has ${value.length} texts; at most ${MAX_DOCUMENTS} can be sent.`);
  const media: string[] = [];
  const documents = value.map((document: unknown, index) => {
    const text = textOf(document);
    if (text !== undefined) return text;
    const at = `documents[${index}]`;
    if (!isObject(document)) throw invalidRequest(at, `'${at}' must be a text, or an object with 'text'.`);
    media.push(at);
    return '';
  });
  return media.length === 0 ? { documents } : { documents, media };
};

/**
 * Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest({ body: value }: InboundRequest): DecodedRequest<'rerank'> {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const query = body.requiredString('query');
  const documents = readDocuments(body.value('documents'));
  const top = body.number('top_n', { integer: true, min: 1 });
  const withDocuments = body.boolean('return_documents');
  const extra = { wire: WIRE, members: body.unread() };
  return { model, request: omitUndefined({ query, ...documents, top, withDocuments, extra }) };
}

/** Documents in results are written by the client's side, so they are asked for only where the client did. */
export const encodeRequest: UpstreamSide<'rerank'>['encodeRequest'] = (
  { query, documents, top, withDocuments, extra },
  { model },
  lose,
) => ({
  body: omitUndefined({
    model,
    query,
    documents,
    top_n: top,
    return_documents: withDocuments,
    ...writeExtraMembers(extra, WIRE, lose),
  }),
  headers: {},
});
