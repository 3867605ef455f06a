import type { JsonObject, RerankResponse, Usage } from '../../../core/api/index.ts';
import {
  isObject,
  malformedBody,
  noTokens,
  omitUndefined,
  readCount,
  readObject,
  readText,
  type WriteContext,
} from '../../../core/api/codec.ts';
import { readRanks } from '../../../core/api/internal.ts';

/** Reranking is billed by searches: of up to 100 documents, each of up to 500 tokens. https://cohere.com/pricing */
export function readUsage({ meta }: Readonly<JsonObject>): Usage | undefined {
  const { billed_units: billed } = readObject(meta);
  if (!isObject(billed)) return undefined;
  return {
    ...noTokens,
    inputUncached: readCount(billed['input_tokens']),
    units: { searches: readCount(billed['search_units']) },
    source: 'provider',
    raw: billed,
  };
}

/** @throws GatewayError `upstream_bad_response` */
export function decodeResponse(body: unknown): RerankResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({
    id: readText(body['id']) || undefined,
    results: readRanks(body['results']),
    usage: readUsage(body),
  });
}

/** The vendor names no model. A vendor that bills by tokens has them in `billed_units`. */
export const encodeResponse = (
  { id, results, usage }: RerankResponse,
  { newId }: WriteContext<'rerank'>,
): JsonObject => ({
  id: id ?? newId('rerank-'),
  results: results.map(({ index, score }) => ({ index, relevance_score: score })),
  meta: {
    api_version: { version: '2' },
    ...(usage === undefined
      ? {}
      : {
          billed_units:
            usage.units?.searches === undefined
              ? { input_tokens: usage.inputUncached }
              : { search_units: usage.units.searches },
        }),
  },
});
