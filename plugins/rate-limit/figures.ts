import type { LimitFigure, LimitFigures } from '../../core/index.ts';
import type { Rule } from './rules.ts';
import type { BucketState } from './store/store.ts';

type FigureUnit = keyof LimitFigures;
const shown: ReadonlySet<string> = new Set<FigureUnit>(['requests', 'tokens', 'inputTokens', 'outputTokens']);
const isShown = (unit: string): unit is FigureUnit => shown.has(unit);

/**
 * The caller's tightest figure of each unit: the limit of which the least is left. Shadow limits are not shown.
 * @param now unix milliseconds
 */
export const describeFigures = (rules: readonly Rule[], states: readonly BucketState[], now: number): LimitFigures | undefined => {
  let figures: Partial<Record<FigureUnit, LimitFigure>> | undefined;
  for (const [index, { limit, bucket }] of rules.entries()) {
    const state = states[index];
    if (state === undefined || !bucket.enforce || !isShown(limit.unit)) continue;
    const remaining = Math.max(0, Math.floor(state.remaining));
    const known = figures?.[limit.unit];
    if (known !== undefined && known.remaining <= remaining) continue;
    const resetMs = Math.ceil(state.resetMs);
    figures ??= {};
    figures[limit.unit] = { limit: bucket.limit, remaining, resetMs, resetAt: now + resetMs };
  }
  return figures;
};
