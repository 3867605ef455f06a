import type { UsageTable } from './tables.ts';

export type Step = UsageTable['step'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When the period of this length began, in UTC. Times are unix milliseconds. */
export function startOf(step: Step, at: number): number {
  if (step !== 'month') return Math.floor(at / (step === 'hour' ? HOUR : DAY)) * (step === 'hour' ? HOUR : DAY);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** When the one after it begins. @param start of a period of this length */
export function nextStart(step: Step, start: number): number {
  if (step !== 'month') return start + (step === 'hour' ? HOUR : DAY);
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export interface Span {
  readonly step: Step;
  /** The beginning of a period, and of the first that is not in it. */
  readonly from: number;
  readonly to: number;
}

const shorter: Readonly<Record<Step, Step | undefined>> = { month: 'day', day: 'hour', hour: undefined };

/**
 * A stretch of whole hours as the longest periods that fill it: some hours, some days, months, days, hours.
 * @param longest the longest that is wanted
 */
export function spansOf(from: number, to: number, longest: Step = 'month'): readonly Span[] {
  if (from >= to) return [];
  const floor = startOf(longest, from);
  const first = floor === from ? from : nextStart(longest, floor);
  const last = startOf(longest, to);
  const next = shorter[longest];
  if (next === undefined) return [{ step: longest, from, to }];
  if (first >= last) return spansOf(from, to, next);
  return [...spansOf(from, first, next), { step: longest, from: first, to: last }, ...spansOf(last, to, next)];
}
