import type { EmbedResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody, omitUndefined, readText } from '../../../core/api/codec.ts';
import { readVectors } from '../../../core/api/internal.ts';
import { readUsage } from '../chat/usage.ts';

export function decodeResponse(body: unknown): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({
    model: readText(body['model']) || undefined,
    vectors: readVectors(body['embeddings']),
    usage: readUsage(body),
  });
}
