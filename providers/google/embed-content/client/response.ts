import {
  GatewayError,
  inputTotal,
  type EmbedResponse,
  type JsonObject,
  type WriteContext,
} from '../../../../core/index.ts';
import { isSingle } from '../single.ts';

/** Counts stand in the answer only where they are known: https://ai.google.dev/api/embeddings#BatchEmbedContentsResponse */
const encodeUsage = ({ usage }: EmbedResponse): JsonObject =>
  usage === undefined
    ? {}
    : { usageMetadata: { promptTokenCount: inputTotal(usage), totalTokenCount: inputTotal(usage) } };

/** In the form of the method that the client called. */
export function encodeResponse(response: EmbedResponse, { request }: WriteContext<'embed'>): JsonObject {
  const embeddings = response.vectors.map((vector) => ({ values: Array.from(vector) }));
  if (!isSingle(request)) return { embeddings, ...encodeUsage(response) };
  const [embedding] = embeddings;
  if (embedding === undefined)
    throw new GatewayError('upstream_bad_response', 'The answer of the provider holds no vector.');
  return { embedding, ...encodeUsage(response) };
}
