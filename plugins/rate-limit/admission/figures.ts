import type { LimitFigure, LimitFigures } from '../../../core/api/index.ts';
import type { FigureUnit, Rule } from '../rules/rule.ts';
import type { BucketState } from '../store/store.ts';

/**
 * For each unit, the figures of the limit with the least left. Shadow limits are not shown.
 * @param now unix milliseconds
 */
export function describeFigures(
  rules: readonly Rule[],
  states: readonly BucketState[],
  now: number,
): LimitFigures | undefined {
  let figures: Partial<Record<FigureUnit, LimitFigure>> | undefined;
  for (let at = 0; at < rules.length; at += 1) {
    const [rule, state] = [rules[at], states[at]];
    if (rule?.figure === undefined || state === undefined) continue;
    const remaining = Math.max(0, Math.floor(state.remaining));
    const known = figures?.[rule.figure];
    if (known !== undefined && known.remaining <= remaining) continue;
    const resetMs = Math.ceil(state.resetMs);
    figures ??= {};
    figures[rule.figure] = { limit: rule.bucket.limit, remaining, resetMs, resetAt: now + resetMs };
  }
  return figures;
}
