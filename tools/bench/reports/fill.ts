import { dialectOf, sql, type Database } from '../../../core/api/database.ts';
import { hoursSince, nextStart, startOf } from '../../../plugins/ledger/periods.ts';
import { counterNames, type LedgerSchema } from '../../../plugins/ledger/tables.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const DAYS = 95;
const [KEYS, MODELS_OF_A_KEY, MODELS] = [10_000, 6, 12];
/** Combinations of a key and a model. */
const PAIRS = KEYS * MODELS_OF_A_KEY;

/** The counters that a request has; the others are 0. */
const drawn: Readonly<Record<string, string>> = {
  exchanges: 'n',
  ok: 'n',
  input_tokens: 'n * (200 + h % 3000)',
  output_tokens: 'n * (h % 500)',
  cost: 'n * (h % 9000000)',
  ok_ms: 'n * 900',
};

const names = counterNames.join(', ');
const values = counterNames.map((name) => drawn[name] ?? '0').join(', ');
const sums = counterNames.map((name) => `sum(${name})`).join(', ');

/** 10,000 keys of 400 projects, each with 6 of 12 models. */
const fillDimensions = (isPostgres: boolean): string => `INSERT INTO ledger_dimensions
    (id, organization, project, key, route, wire, operation, model, provider, target)
  WITH RECURSIVE numbers(i) AS (SELECT ${isPostgres ? 'CAST(0 AS BIGINT)' : '0'} UNION ALL
    SELECT i + 1 FROM numbers WHERE i < ${PAIRS - 1}),
  pairs AS (SELECT i, i / ${MODELS_OF_A_KEY} AS k,
    (i / ${MODELS_OF_A_KEY} + 2 * (i % ${MODELS_OF_A_KEY})) % ${MODELS} AS m FROM numbers)
  SELECT i + 1, 'org-' || (k % 20), 'project-' || (k % 400), 'key-' || k, '/v1/chat/completions', 'chat-completions',
    'generate', 'vendor/model-' || m, 'vendor', 'vendor/upstream-' || m FROM pairs`;

/**
 * Sums of a period of all pairs. `h` is pseudo-random; a pair has usage with a probability of `share` in a thousand,
 * and then one or two requests, or as many as `mean` says.
 */
const fillPeriod = (
  step: 'hour' | 'day',
  start: number,
  share: number,
  mean: number,
): string => `INSERT INTO ledger_usage
    (step, start, dimension, ${names}, total_times, first_times)
  SELECT '${step}', ${start}, id, ${values}, b || ':' || n || ' ', (b - 8) || ':' || n || ' '
  FROM (SELECT id, h, ${mean} + (h / 1000) % 2 AS n, 27 + (h / 7) % 21 AS b
    FROM (SELECT id, (id * 2654435761 + ${start / HOUR} * 2246822519) % 4294967291 AS h FROM ledger_dimensions)
      AS hashed
    WHERE h % 1000 < ${share}) AS found
  ORDER BY id`;

type Sum = readonly [step: 'day' | 'month', start: number, of: 'hour' | 'day', end: number, join: string];
const sumUp = (...[step, start, of, end, join]: Sum): string => `INSERT
  INTO ledger_usage (step, start, dimension, ${names}, total_times, first_times)
  SELECT '${step}', ${start}, dimension, ${sums}, ${join}(total_times, ''), ${join}(first_times, '') FROM ledger_usage
  WHERE step = '${of}' AND start >= ${start} AND start < ${end} GROUP BY dimension ORDER BY dimension`;

/**
 * Fills an empty ledger with the sums of so many requests in 95 days. Reports read nothing else.
 * @param end the start of a day
 */
export async function fillSums(database: Database<LedgerSchema>, requests: number, end: number): Promise<void> {
  const isPostgres = dialectOf(database).name === 'postgres';
  const join = isPostgres ? 'string_agg' : 'group_concat';
  const run = (text: string) => sql.raw(text).execute(database);
  await run(fillDimensions(isPostgres));
  const inAnHour = requests / (DAYS * 24 * PAIRS);
  const share = Math.min(1_000, Math.round((inAnHour / 1.5) * 1_000));
  const first = end - DAYS * DAY;
  for (let day = first; day < end; day += DAY) {
    if (day < hoursSince(end)) {
      const inADay = Math.max(0, Math.round(inAnHour * 24 - 0.5));
      await run(fillPeriod('day', day, inAnHour * 24 < 1 ? Math.round(inAnHour * 24_000) : 1_000, Math.max(1, inADay)));
      continue;
    }
    for (let hour = day; hour < day + DAY; hour += HOUR) await run(fillPeriod('hour', hour, share, 1));
    await run(sumUp('day', day, 'hour', day + DAY, join));
  }
  const months = new Set(Array.from({ length: DAYS }, (_, index) => startOf('month', first + index * DAY)));
  for (const month of months) await run(sumUp('month', month, 'day', nextStart('month', month), join));
  await sql`ANALYZE`.execute(database);
}
