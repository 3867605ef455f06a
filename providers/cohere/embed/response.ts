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
import { readVectors } from '../../../core/api/internal.ts';

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
  return omitUndefined({ vectors: readVectors(readObject(body['embeddings'])['float']), usage: readUsage(body) });
}
