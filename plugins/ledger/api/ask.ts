import { type Headers, invalidRequest, omitUndefined } from '../../../core/index.ts';
import { nextStart, startOf } from '../periods.ts';
import type { UsageQuery } from '../read/usage.ts';
import { dimensionNames, type DimensionName } from '../tables.ts';

/** What is asked for in the query of a call. */
export interface UsageAsk extends UsageQuery {
  readonly format: 'json' | 'csv';
}

const DAY = 86_400_000;
/** More lines of one table than these nobody reads. */
const MOST_PERIODS = 10_000;

const steps = { hour: DAY / 24, day: DAY, month: 28 * DAY };
const formats = ['json', 'csv'] as const;

/** Without a zone it is UTC, as everything here is. */
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const hasZone = /(T.*(Z|[+-]\d{2}:\d{2})|^\d{4}-\d{2}-\d{2})$/;

/** Date.parse takes the 30th of February for the 2nd of March. */
const isDay = (day: string): boolean => {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

const readTime = (name: string, written: string | undefined, other: number): number => {
  if (written === undefined) return other;
  const at =
    ISO.test(written) && isDay(written.slice(0, 10))
      ? Date.parse(hasZone.test(written) ? written : `${written}Z`)
      : Number.NaN;
  if (Number.isNaN(at))
    throw invalidRequest(name, `${name} must be a day or a time such as 2026-11-21 or 2026-11-21T09:00:00Z.`);
  return at;
};

const readChoice = <T extends string>(
  name: string,
  written: string | undefined,
  choices: readonly T[],
): T | undefined => {
  if (written === undefined) return undefined;
  const found = choices.find((choice) => choice === written);
  if (found === undefined) throw invalidRequest(name, `${name} must be one of ${choices.join(', ')}.`);
  return found;
};

const readNames = (name: string, written: string | undefined): readonly string[] => {
  const names = written?.split(',') ?? [];
  if (names.includes(''))
    throw invalidRequest(
      name,
      `${name} has an empty value. Name one, or several separated by commas, or leave ${name} out.`,
    );
  return names;
};

/**
 * @param allowed what this caller may divide by and choose from
 * @throws GatewayError 400, the parameter named
 */
export function readUsageAsk(
  query: Headers,
  now: number,
  allowed: readonly DimensionName[] = dimensionNames,
): UsageAsk {
  const known: readonly string[] = ['from', 'to', 'bucket', 'by', 'format', ...allowed];
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `There is no such parameter here; there are ${known.join(', ')}.`);
  const to = readTime('to', query['to'], now);
  const from = readTime('from', query['from'], to - DAY);
  if (from >= to) throw invalidRequest('from', 'from must be before to.');
  const step = readChoice('bucket', query['bucket'], Object.keys(steps) as (keyof typeof steps)[]);
  if (step !== undefined && (to - from) / steps[step] > MOST_PERIODS)
    throw invalidRequest(
      'bucket',
      `There would be more than ${MOST_PERIODS} buckets; ask for longer ones, or for a shorter time.`,
    );
  const last = startOf(step ?? 'hour', to);
  return omitUndefined({
    from: startOf(step ?? 'hour', from),
    to: last === to ? to : nextStart(step ?? 'hour', last),
    step,
    by: [...new Set(readNames('by', query['by']))].flatMap((name) => readChoice('by', name, allowed) ?? []),
    where: Object.fromEntries(
      allowed.flatMap((name) => (query[name] === undefined ? [] : [[name, readNames(name, query[name])]])),
    ),
    format: readChoice('format', query['format'], formats) ?? 'json',
  });
}
