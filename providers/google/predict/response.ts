import type { EmbedResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody, readCount, readObject, readObjects } from '../../../core/api/codec.ts';
import { decodeResponse } from '../embed-content/upstream/response.ts';
import { decodeEmbeddedError, hasError } from '../generate-content/upstream/response/error.ts';
import { readUsage } from '../generate-content/usage.ts';

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function decodePredictions(body: unknown): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (hasError(body)) throw decodeEmbeddedError(body);
  const embeddings = readObjects(body['predictions']).map((prediction) => readObject(prediction['embeddings']));
  const counts = embeddings.map(({ statistics }) => readObject(statistics)['token_count']);
  return {
    ...decodeResponse({ embeddings }),
    // Without a count of each text, the sum would be too low.
    ...(counts.every((count) => typeof count === 'number')
      ? { usage: readUsage({ promptTokenCount: counts.reduce((sum, count) => sum + readCount(count), 0) }) }
      : {}),
  };
}
