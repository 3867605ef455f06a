import type { EmbedResponse, JsonObject, Usage } from '../../../core/api/index.ts';
import {
  isObject,
  malformedBody,
  noTokens,
  omitUndefined,
  readCount,
  readObject,
  readParts,
} from '../../../core/api/codec.ts';

/** A number that a float of 32 bits can hold. */
const isValue = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));
const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isValue);

/** The vendor bills texts and images by their tokens, each in a count of its own. */
function readUsage({ meta }: Readonly<JsonObject>): Usage | undefined {
  const { billed_units: billed } = readObject(meta);
  if (!isObject(billed)) return undefined;
  const images = readCount(billed['image_tokens']);
  const inputUncached = readCount(billed['input_tokens']) + images;
  return {
    ...noTokens,
    inputUncached,
    ...readParts(inputUncached, { inputImage: images }),
    source: 'provider',
    raw: billed,
  };
}

/** Vectors by their type; a request asks for numbers only. */
export function decodeResponse(body: unknown): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  const vectors = readObject(body['embeddings'])['float'];
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every(isVector))
    throw malformedBody('has no vectors');
  return omitUndefined({ vectors: vectors.map((vector) => Float32Array.from(vector)), usage: readUsage(body) });
}
