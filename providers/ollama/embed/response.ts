import type { EmbedResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody, omitUndefined, readText } from '../../../core/api/codec.ts';
import { readUsage } from '../chat/usage.ts';

/** A number that a float of 32 bits can hold. */
const isValue = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));
const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isValue);

/** @throws GatewayError if the value is not a list of vectors */
function readVectors(value: unknown): readonly Float32Array[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isVector)) throw malformedBody('has no vectors');
  return value.map((vector) => Float32Array.from(vector));
}

export function decodeResponse(body: unknown): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({
    model: readText(body['model']) || undefined,
    vectors: readVectors(body['embeddings']),
    usage: readUsage(body),
  });
}
