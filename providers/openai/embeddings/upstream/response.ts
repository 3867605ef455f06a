import type { EmbedResponse, JsonObject } from '../../../../core/api/index.ts';
import { isObject, malformedBody, omitUndefined, readText } from '../../../../core/api/codec.ts';
import { requireBody } from '../../chat-completions/upstream/response/error.ts';

import { readUsage } from '../usage.ts';
import { parseVector } from '../vector.ts';

/** The index of an element; without one, its position. */
const indexOf = ({ index }: JsonObject, position: number): number => (typeof index === 'number' ? index : position);

/** The elements of a response, not decoded. @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function readData(body: unknown): { readonly response: JsonObject; readonly data: readonly JsonObject[] } {
  const response = requireBody(body);
  const { data } = response;
  if (!Array.isArray(data) || data.length === 0 || !data.every(isObject)) throw malformedBody('has no vectors');
  return { response, data };
}

/** Vectors can be numbers or base64, whatever was requested. They are returned in the order of their indices. */
export function decodeResponse(body: unknown): EmbedResponse {
  const { response, data } = readData(body);
  const sorted = data
    .map((item, position) => ({ item, index: indexOf(item, position) }))
    .sort((a, b) => a.index - b.index);
  return omitUndefined({
    model: readText(response['model']) || undefined,
    vectors: sorted.map(({ item }) => parseVector(item['embedding'])),
    usage: readUsage(response['usage']),
  });
}
