import type { JsonObject, Ranked, RerankResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody, omitUndefined, readText, type WriteContext } from '../../../core/api/codec.ts';
import { readRanks } from '../../../core/api/internal.ts';
import { readUsage, writeUsage } from './usage.ts';
import { WIRE } from './shape.ts';

/** Voyage has the results in `data`. @throws GatewayError `upstream_bad_response` */
export function decodeResponse(body: unknown): RerankResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  return omitUndefined({
    id: readText(body['id']) || undefined,
    model: readText(body['model']) || undefined,
    results: readRanks(body['results'] ?? body['data']),
    usage: readUsage(body['usage']),
  });
}

/** Documents are those of the request. Other wires do not return them, and their clients do not ask for them. */
const encodeResult = ({ index, score }: Ranked, { request }: WriteContext<'rerank'>): JsonObject => {
  const isWanted = request.extra.wire === WIRE && request.withDocuments !== false;
  return {
    index,
    relevance_score: score,
    ...(isWanted ? { document: { text: request.documents[index] ?? '' } } : {}),
  };
};

export const encodeResponse = (
  { id, model, results, usage }: RerankResponse,
  context: WriteContext<'rerank'>,
): JsonObject => ({
  ...(id === undefined ? {} : { id }),
  object: 'list',
  model: model ?? 'unknown',
  results: results.map((result) => encodeResult(result, context)),
  usage:
    usage === undefined
      ? { prompt_tokens: context.inputEstimate, total_tokens: context.inputEstimate }
      : writeUsage(usage),
});
