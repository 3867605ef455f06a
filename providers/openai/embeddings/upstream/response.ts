import { type EmbedResponse, GatewayError, isObject, type JsonObject, readText } from '../../../../core/index.ts';
import { decodeEmbeddedError, holdsError } from '../../chat-completions/upstream/response/error.ts';

import { readUsage } from '../usage.ts';
import { parseVector } from '../vector.ts';

/** Where an element belongs: by its index, else where it stands. */
const placeOf = ({ index }: JsonObject, position: number): number => (typeof index === 'number' ? index : position);

/** The elements of an answer, unread. @throws GatewayError the error that a 200 may hold, or `upstream_bad_response` */
export function readData(body: unknown): { readonly answer: JsonObject; readonly data: readonly JsonObject[] } {
  if (!isObject(body))
    throw new GatewayError('upstream_bad_response', 'The answer of the provider is not a JSON object.');
  if (holdsError(body)) throw decodeEmbeddedError(body);
  const { data } = body;
  if (!Array.isArray(data) || data.length === 0 || !data.every(isObject))
    throw new GatewayError('upstream_bad_response', 'The answer of the provider holds no vectors.');
  return { answer: body, data };
}

/** Vectors as numbers or base64, whichever was asked for: servers differ in what they give. In the order of their indices. */
export function decodeResponse(body: unknown): EmbedResponse {
  const { answer, data } = readData(body);
  const placed = data
    .map((item, position) => ({ item, place: placeOf(item, position) }))
    .sort((a, b) => a.place - b.place);
  const usage = readUsage(answer['usage']);
  const model = readText(answer['model']);
  return {
    ...(model === '' ? {} : { model }),
    vectors: placed.map(({ item }) => parseVector(item['embedding'])),
    ...(usage === undefined ? {} : { usage }),
  };
}
