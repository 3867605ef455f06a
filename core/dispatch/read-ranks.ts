import { isObject } from '../canonical/json/members.ts';
import type { Ranked } from '../canonical/operation/rerank.ts';
import { malformedBody } from './upstream-error.ts';

const readRank = (result: unknown): Ranked => {
  const { index, relevance_score: score } = isObject(result) ? result : {};
  const isIndex = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0;
  if (!isIndex || typeof score !== 'number' || !Number.isFinite(score))
    throw malformedBody('has a result without a number or a score');
  return { index, score };
};

/** Reads the results of a reranking: all vendors name the score alike. @throws GatewayError `upstream_bad_response` */
export function readRanks(results: unknown): readonly Ranked[] {
  if (!Array.isArray(results)) throw malformedBody('has no results');
  return results.map(readRank);
}
