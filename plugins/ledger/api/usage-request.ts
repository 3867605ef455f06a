import { type Headers, invalidRequest } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { readChoice } from '../../../core/api/internal.ts';
import { endOf, hoursSince, startOf } from '../periods.ts';
import type { UsageQuery } from '../read/lines.ts';
import { dimensionNames, type DimensionName } from '../tables.ts';
import { isTagName, type UsageName } from '../read/usage-name.ts';
import { linesParameters, readLines, type LinesRequest } from './lines-request.ts';

/** The query parameters of the usage API. */
export interface UsageRequest extends Omit<UsageQuery, 'counters' | 'quantiles'>, LinesRequest {
  readonly format: 'json' | 'csv';
  /** Whether the response has the figures of the time before as well. */
  readonly comparesPrevious: boolean;
}

const DAY = 86_400_000;
const MAX_PERIODS = 10_000;

const HOUR = DAY / 24;
/** The shortest length of each period: months have 28 days at least. */
const minLengths = { minute: HOUR / 60, hour: HOUR, day: DAY, month: 28 * DAY };
/** Reports by minute read the rows, which takes longer than reading sums. */
const MAX_MINUTES_MS = 6 * HOUR;
const formats = ['json', 'csv'] as const;

/** A time without a zone is in UTC. */
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const WITH_ZONE = /(T.*(Z|[+-]\d{2}:\d{2})|^\d{4}-\d{2}-\d{2})$/;

/** Date.parse reads the 30th of February as the 2nd of March. */
const isDay = (day: string): boolean => {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

export const readTime = (name: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  const isValid = ISO.test(text) && isDay(text.slice(0, 10));
  const at = isValid ? Date.parse(WITH_ZONE.test(text) ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(at))
    throw invalidRequest(name, `${name} must be a day or a time such as 2026-11-21 or 2026-11-21T09:00:00Z.`);
  return at;
};

export const readNames = (name: string, text: string | undefined): readonly string[] => {
  const names = text?.split(',') ?? [];
  if (names.includes(''))
    throw invalidRequest(
      name,
      `${name} has an empty value. Name one, or several separated by commas, or leave ${name} out.`,
    );
  return names;
};

const readStep = (
  { bucket }: Headers,
  from: number,
  to: number,
  rowsSince: number,
): keyof typeof minLengths | undefined => {
  const step = readChoice('bucket', bucket, Object.keys(minLengths) as (keyof typeof minLengths)[]);
  if (step !== undefined && (to - from) / minLengths[step] > MAX_PERIODS)
    throw invalidRequest(
      'bucket',
      `The report would have more than ${MAX_PERIODS} buckets; request longer buckets or a shorter time.`,
    );
  if (step !== 'minute') return step;
  if (to - from > MAX_MINUTES_MS)
    throw invalidRequest('bucket', 'A report by minute covers at most 6 hours; request a shorter time, or hours.');
  if (from < rowsSince)
    throw invalidRequest('bucket', 'A report by minute reads the rows, which are not kept for so long; request hours.');
  return step;
};

/** A short time that does not consist of whole hours is read from the rows, if they are still there. */
const readsRows = (step: string | undefined, from: number, to: number, rowsSince: number): boolean =>
  step === 'minute' ||
  (step === undefined && to - from <= HOUR && from >= rowsSince && (from % HOUR !== 0 || to % HOUR !== 0));

/**
 * Widens a time to whole periods: to those of its lines, or to hours. Long ago there are days only.
 * @throws GatewayError 400 when hours are requested that are not kept
 */
export function widenTime(
  { from, to, step, rows }: Pick<UsageQuery, 'from' | 'to' | 'step' | 'rows'>,
  now: number,
): readonly [from: number, to: number] {
  const since = hoursSince(now);
  if (step === 'hour' && startOf('hour', from) < since)
    throw invalidRequest(
      'bucket',
      `Sums by hour are kept for 60 days, since ${new Date(since).toISOString()}; request days, or a later time.`,
    );
  const unitAt = (at: number) => step ?? (rows === true ? 'minute' : at < since ? 'day' : 'hour');
  return [startOf(unitAt(from), from), endOf(unitAt(to), to)];
}

/**
 * @param rowsSince the time from which rows are kept, in unix milliseconds
 * @param allowed the dimensions that the caller may group and filter by
 * @throws GatewayError 400 that names the invalid parameter
 */
export function readUsageRequest(
  query: Headers,
  now: number,
  rowsSince: number,
  allowed: readonly DimensionName[] = dimensionNames,
): UsageRequest {
  const names: readonly UsageName[] = [...allowed, 'user'];
  const known: readonly string[] = ['from', 'to', 'bucket', 'by', 'compare', 'format', ...linesParameters, ...names];
  const unknown = Object.keys(query).find((name) => !known.includes(name) && !isTagName(name));
  if (unknown !== undefined)
    throw invalidRequest(
      unknown.slice(0, 64),
      `Unknown parameter; the parameters are ${known.join(', ')}, tag:<name>.`,
    );
  const to = readTime('to', query['to'], now);
  const from = readTime('from', query['from'], to - DAY);
  if (from >= to) throw invalidRequest('from', 'from must be before to.');
  const step = readStep(query, from, to, rowsSince);
  const rows = readsRows(step, from, to, rowsSince);
  const format = readChoice('format', query['format'], formats) ?? 'json';
  const comparesPrevious = readChoice('compare', query['compare'], ['previous']) !== undefined;
  if (comparesPrevious && format === 'csv')
    throw invalidRequest('compare', 'CSV has one period; request the time before by its from and to.');
  const [first, end] = widenTime(omitUndefined({ from, to, step, rows }), now);
  const by = [...new Set(readNames('by', query['by']))].flatMap((name) =>
    isTagName(name) ? name : (readChoice('by', name, names, ', tag:<name>') ?? []),
  );
  return omitUndefined({
    from: first,
    to: end,
    rows: rows || undefined,
    step,
    by,
    where: Object.fromEntries(
      [...names, ...Object.keys(query).filter(isTagName)].flatMap((name) =>
        query[name] === undefined ? [] : [[name, readNames(name, query[name])]],
      ),
    ),
    format,
    comparesPrevious,
    ...readLines(query, omitUndefined({ step, by, where: {} })),
  });
}
