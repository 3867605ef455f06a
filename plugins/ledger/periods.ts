import type { Period } from './tables.ts';

export type Step = Period;
/** The periods of reports. There are no sums of minutes: they are read from the rows. */
export type ReportStep = Step | 'minute';

const HOUR = 3_600_000;
export const lengths = { minute: 60_000, hour: HOUR, day: 24 * HOUR } as const;

/** Sums of hours are kept for this time, those of days and months for `usageRetention`. */
export const HOURS_KEPT_MS = 60 * 24 * HOUR;
/** The first time whose sums by hour are kept. They are deleted a day later. */
export const hoursSince = (now: number): number => startOf('day', now - HOURS_KEPT_MS);

/** The start of the period that contains a time, in UTC. Times are unix milliseconds. */
export function startOf(step: ReportStep, at: number): number {
  if (step !== 'month') return Math.floor(at / lengths[step]) * lengths[step];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The start of the following period. @param start the start of a period of this length */
export function nextStart(step: ReportStep, start: number): number {
  if (step !== 'month') return start + lengths[step];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The first start of a period at a time or after it. */
export function endOf(step: ReportStep, at: number): number {
  const start = startOf(step, at);
  return start === at ? at : nextStart(step, start);
}

/** The start of the time before, of the same length: as many months, if the report is by month. */
export function previousStart(step: ReportStep | undefined, from: number, to: number): number {
  if (step !== 'month') return from - (to - from);
  const [first, end] = [new Date(from), new Date(to)];
  const months = (end.getUTCFullYear() - first.getUTCFullYear()) * 12 + end.getUTCMonth() - first.getUTCMonth();
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - months);
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
  const first = endOf(longest, from);
  const last = startOf(longest, to);
  const next = shorter[longest];
  if (next === undefined) return [{ step: longest, from, to }];
  if (first >= last) return spansOf(from, to, next);
  return [...spansOf(from, first, next), { step: longest, from: first, to: last }, ...spansOf(last, to, next)];
}
