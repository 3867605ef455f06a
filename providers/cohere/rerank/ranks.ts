import type { Ranked } from '../../../core/api/index.ts';
import { isObject, malformedBody } from '../../../core/api/codec.ts';

/** A number that a vendor sent, or undefined. */
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** @throws GatewayError `upstream_bad_response` for a list whose entries have no number or no score */
export function readRanks(value: unknown): readonly Ranked[] {
  if (!Array.isArray(value)) throw malformedBody('has no results');
  return value.map((result: unknown) => {
    const index = isObject(result) ? finite(result['index']) : undefined;
    const score = isObject(result) ? finite(result['relevance_score']) : undefined;
    if (index === undefined || !Number.isSafeInteger(index) || index < 0 || score === undefined)
      throw malformedBody('has a result without a number or a score');
    return { index, score };
  });
}
