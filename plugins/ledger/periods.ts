import type { UsageTable } from './tables.ts';

export type Step = UsageTable['step'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The start of the period that contains a time, in UTC. Times are unix milliseconds. */
export function startOf(step: Step, at: number): number {
  if (step !== 'month') return Math.floor(at / (step === 'hour' ? HOUR : DAY)) * (step === 'hour' ? HOUR : DAY);
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The start of the following period. @param start the start of a period of this length */
export function nextStart(step: Step, start: number): number {
  if (step !== 'month') return start + (step === 'hour' ? HOUR : DAY);
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Consecutive periods of one length. */
export interface Span {
  readonly step: Step;
  /** The start of the first period. */
  readonly from: number;
  /** The end of the last period, exclusive. */
  readonly to: number;
}

const shorter: Readonly<Record<Step, Step | undefined>> = { month: 'day', day: 'hour', hour: undefined };

/**
 * Covers a range of whole hours with the longest periods that fit: hours, days, months, days, hours.
 * @param longest the longest period to use
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
