import { GatewayError, isObject, type EmbedResponse, type Usage } from '../../../../core/index.ts';
import { decodeEmbeddedError, hasError } from '../../generate-content/upstream/response/error.ts';
import { hasCounts, readUsage } from '../../generate-content/usage.ts';

const badResponse = (why: string): GatewayError =>
  new GatewayError('upstream_bad_response', `The answer of the provider ${why}.`);

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

const readVector = (embedding: unknown): Float32Array => {
  const values = isObject(embedding) ? embedding['values'] : undefined;
  if (!isNumbers(values)) throw badResponse('holds a vector that is no list of numbers');
  const vector = new Float32Array(values);
  if (!vector.every(Number.isFinite)) throw badResponse('holds a number that is no 32-bit float');
  return vector;
};

export interface Answer {
  /** The vectors of either method, unread. */
  readonly embeddings: readonly unknown[];
  /** Older models say nothing of what they used. */
  readonly usage?: Usage;
}

/** @throws GatewayError the error that a 200 may hold, or `upstream_bad_response` */
export function readAnswer(body: unknown): Answer {
  if (!isObject(body)) throw badResponse('is not a JSON object');
  if (hasError(body)) throw decodeEmbeddedError(body);
  const { embeddings, embedding, usageMetadata } = body;
  const listed: readonly unknown[] = Array.isArray(embeddings) ? embeddings : isObject(embedding) ? [embedding] : [];
  if (listed.length === 0) throw badResponse('holds no vectors');
  return {
    embeddings: listed,
    ...(isObject(usageMetadata) && hasCounts(usageMetadata) ? { usage: readUsage(usageMetadata) } : {}),
  };
}

/** https://ai.google.dev/api/embeddings#BatchEmbedContentsResponse: the order is that of the requests. */
export function decodeResponse(body: unknown): EmbedResponse {
  const { embeddings, ...usage } = readAnswer(body);
  return { vectors: embeddings.map(readVector), ...usage };
}
