import type { Ranked, RerankResponse } from '../../../core/api/index.ts';
import { isObject, malformedBody } from '../../../core/api/codec.ts';

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const readRank = (result: unknown): Ranked => {
  const { index, relevance_score: score } = isObject(result) ? result : {};
  if (!isIndex(index) || typeof score !== 'number' || !Number.isFinite(score))
    throw malformedBody('has a result without a number or a score');
  return { index, score };
};

/**
 * The vendor reports no usage. It bills calls of up to 100 documents, which are counted from the request:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/rerank-pricing.html
 * @throws GatewayError `upstream_bad_response`
 */
export function decodeResponse(body: unknown): RerankResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  const { results } = body;
  if (!Array.isArray(results)) throw malformedBody('has no results');
  return { results: results.map(readRank) };
}
