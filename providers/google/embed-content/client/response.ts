import { GatewayError, inputTotal, type EmbedResponse, type JsonObject } from '../../../../core/api/index.ts';
import type { WriteContext } from '../../../../core/api/codec.ts';
import { isSingle } from '../single.ts';

/** Counts are present only if they are known: https://ai.google.dev/api/embeddings#BatchEmbedContentsResponse */
const encodeUsage = ({ usage }: EmbedResponse): JsonObject =>
  usage === undefined
    ? {}
    : { usageMetadata: { promptTokenCount: inputTotal(usage), totalTokenCount: inputTotal(usage) } };

/** Encodes the response of the method that the client called. */
export function encodeResponse(response: EmbedResponse, { request }: WriteContext<'embed'>): JsonObject {
  const embeddings = response.vectors.map((vector) => ({ values: Array.from(vector) }));
  if (!isSingle(request)) return { embeddings, ...encodeUsage(response) };
  const [embedding] = embeddings;
  if (embedding === undefined)
    throw new GatewayError('upstream_bad_response', 'The response of the provider has no vector.');
  return { embedding, ...encodeUsage(response) };
}
