import type { EmbedResponse, Usage } from '../../../../core/api/index.ts';
import { isObject, malformedBody } from '../../../../core/api/codec.ts';
import { decodeEmbeddedError, hasError } from '../../generate-content/upstream/response/error.ts';
import { hasCounts, readUsage } from '../../generate-content/usage.ts';

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

const readVector = (embedding: unknown): Float32Array => {
  const values = isObject(embedding) ? embedding['values'] : undefined;
  if (!isNumbers(values)) throw malformedBody('has a vector that is not a list of numbers');
  const vector = new Float32Array(values);
  if (!vector.every(Number.isFinite)) throw malformedBody('has a number that is not a 32-bit float');
  return vector;
};

export interface EmbedResult {
  /** The vectors of either method, as received. */
  readonly embeddings: readonly unknown[];
  /** Older models report no usage. */
  readonly usage?: Usage;
}

/** @throws GatewayError the error inside a 200, or `upstream_bad_response` */
export function readEmbeddings(body: unknown): EmbedResult {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (hasError(body)) throw decodeEmbeddedError(body);
  const { embeddings, embedding, usageMetadata } = body;
  const listed: readonly unknown[] = Array.isArray(embeddings) ? embeddings : isObject(embedding) ? [embedding] : [];
  if (listed.length === 0) throw malformedBody('has no vectors');
  return {
    embeddings: listed,
    ...(isObject(usageMetadata) && hasCounts(usageMetadata) ? { usage: readUsage(usageMetadata) } : {}),
  };
}

/** The vectors have the order of the requests: https://ai.google.dev/api/embeddings#BatchEmbedContentsResponse */
export function decodeResponse(body: unknown): EmbedResponse {
  const { embeddings, ...usage } = readEmbeddings(body);
  return { vectors: embeddings.map(readVector), ...usage };
}
