import type { EmbedResponse, Headers, JsonObject, Usage } from '../../../core/api/index.ts';
import {
  isObject,
  malformedBody,
  noTokens,
  omitUndefined,
  type ReadContext,
  readObjects,
} from '../../../core/api/codec.ts';

/** A number that a float of 32 bits can hold. */
const isValue = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));
const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isValue);

/** Titan has one vector, Nova a list of objects, and Cohere lists, by type if there are several. */
const readVectors = ({ embedding, embeddings }: Readonly<JsonObject>): readonly unknown[] => {
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
  const vectors = readVectors(body);
  if (vectors.length === 0 || !vectors.every(isVector)) throw malformedBody('has no vectors');
  return omitUndefined({
    vectors: vectors.map((vector) => Float32Array.from(vector)),
    usage: readUsage(body, headers),
  });
}
