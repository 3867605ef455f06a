import type { EmbedResponse, Headers, JsonObject, Usage } from '../../../core/api/index.ts';
import {
  isObject,
  malformedBody,
  noTokens,
  omitUndefined,
  type ReadContext,
  readObjects,
} from '../../../core/api/codec.ts';
import { readVectors } from '../../../core/api/internal.ts';

/** Titan has one vector, Nova a list of objects, and Cohere lists, by type if there are several. */
const listVectors = ({ embedding, embeddings }: Readonly<JsonObject>): readonly unknown[] => {
  if (embedding !== undefined) return [embedding];
  if (isObject(embeddings)) return Array.isArray(embeddings['float']) ? embeddings['float'] : [];
  if (!Array.isArray(embeddings)) return [];
  return embeddings.every(Array.isArray) ? embeddings : readObjects(embeddings).map((each) => each['embedding']);
};

/** Only Titan has the count in its body. The header is of all models. */
const readUsage = ({ inputTextTokenCount }: Readonly<JsonObject>, headers: Headers): Usage | undefined => {
  const counted = Number(inputTextTokenCount ?? headers['x-amzn-bedrock-input-token-count'] ?? Number.NaN);
  if (!Number.isSafeInteger(counted) || counted < 0) return undefined;
  return { ...noTokens, inputUncached: counted, source: 'provider', raw: { inputTokens: counted } };
};

/** @throws GatewayError `upstream_bad_response` */
export function decodeResponse(body: unknown, { headers = {} }: Pick<ReadContext, 'headers'>): EmbedResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({ vectors: readVectors(listVectors(body)), usage: readUsage(body, headers) });
}
