import { dialectOf, sql, type Database } from '../../../core/api/database.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';

export const MONTH = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 10, 1) };
const ROWS_PER_STATEMENT = 200_000;

/**
 * What is drawn for the row `i`, with `h` and `g` as its pseudo-random numbers: 300 keys of which 20 have nine tenths
 * of the rows, 12 models, a second provider with a hundredth of the rows, one failure in a hundred, users and tags.
 */
const rows = (isPostgres: boolean, first: number, last: number, count: number) => {
  const hex = (value: string, digits: number): string =>
    isPostgres ? `lpad(to_hex(${value}), ${digits}, '0')` : `printf('%0${digits}x', ${value})`;
  const float = isPostgres ? 'double precision' : 'REAL';
  const integer = isPostgres ? 'BIGINT' : 'INTEGER';
  return sql.raw(`WITH RECURSIVE
    numbers(i) AS (SELECT CAST(${first} AS ${integer}) UNION ALL SELECT i + 1 FROM numbers WHERE i < ${last}),
    hashed AS (SELECT i, (i * 2654435761) % 4294967296 AS h, ((i + 7919) * 2246822519) % 4294967291 AS g FROM numbers),
    drawn AS (SELECT i, h, g,
      CAST(${MONTH.from} + i * (${MONTH.to - MONTH.from} / CAST(${count} AS ${float})) AS ${integer}) AS ended,
      CASE WHEN h % 10 = 0 THEN g % 300 ELSE g % 20 END AS k, (h / 16) % 12 AS m,
      CASE WHEN (g / 64) % 100 = 0 THEN (h / 128) % 4 ELSE 9 END AS failure,
      100 + (h / 1024) % 4000 + CASE WHEN (h / 4096) % 1000 = 0 THEN 60000 ELSE 0 END AS ms FROM hashed)
  INSERT INTO ledger (id, process, state, opened_at, ended_at, organization, project, key, route, wire, operation,
    model, target, attempts, status, outcome, input_tokens, cache_read_tokens, cache_write_5m_tokens,
    cache_write_1h_tokens, output_tokens, reasoning_tokens, usage_source, cost, price_version, cache_saved, cache_lost,
    total_ms, first_content_ms, raw_usage, tags, end_user, code, stream, upstream_request_id, trail, message)
  SELECT 'req_' || ${hex('ended - ms', 12)} || ${hex('h', 8)} || ${hex('g', 12)}, 'bench', 'settled', ended - ms, ended,
    'org-' || (k % 3), 'project-' || (k % 12), 'key-' || k, '/v1/chat/completions', 'chat-completions', 'generate',
    'vendor/model-' || m, CASE WHEN h % 100 = 1 THEN 'backup' ELSE 'vendor' END || '/upstream-' || m,
    CASE WHEN failure = 9 THEN 1 ELSE 2 END,
    CASE failure WHEN 9 THEN 200 WHEN 0 THEN 400 WHEN 1 THEN 429 WHEN 2 THEN 504 ELSE 502 END,
    CASE failure WHEN 9 THEN 'ok' WHEN 0 THEN 'client_error' WHEN 1 THEN 'rate_limited' WHEN 2 THEN 'timeout'
      ELSE 'upstream_error' END,
    g % 3000, 0, 0, 0, h % 500, 0, 'provider', CASE WHEN h % 20000 = 7 THEN 2000000000 ELSE g % 9000000 END,
    'd41d8cd98f00b204', 0, 0, ms, ms / 3,
    '{"prompt_tokens":1234,"completion_tokens":321,"total_tokens":1555,"prompt_tokens_details":{"cached_tokens":0}}',
    CASE WHEN h % 5 = 0 THEN '{"team":"team-' || (g % 400) || '"}' END,
    CASE WHEN h % 3 = 0 THEN 'user-' || (g % 5000) END,
    CASE failure WHEN 9 THEN NULL WHEN 0 THEN 'invalid_request' WHEN 1 THEN 'rate_limit_exceeded'
      WHEN 2 THEN 'upstream_timeout' ELSE CASE WHEN g % 1000 = 3 THEN 'upstream_tls' ELSE 'upstream_error' END END,
    h % 2, 'req_' || ${hex('g', 24)},
    CASE WHEN failure < 9 THEN '[["vendor/upstream-1","key-1",0,812,503,"transient","req_011CUyz"],' ||
      '["vendor/upstream-2","key-2",815,901,503,"transient","req_011CUyy"]]' END,
    CASE WHEN failure < 9 THEN 'The provider responded with an error: the model is overloaded, try again later.' END
  FROM drawn`);
};

/** Fills an empty ledger with a month of rows, and their dimensions. Sums are not needed here. */
export async function fillMonth(database: Database<LedgerSchema>, count: number): Promise<void> {
  const isPostgres = dialectOf(database).name === 'postgres';
  for (let first = 0; first < count; first += ROWS_PER_STATEMENT)
    await rows(isPostgres, first, Math.min(count, first + ROWS_PER_STATEMENT) - 1, count).execute(database);
  await sql`INSERT INTO ledger_dimensions
      (id, organization, project, key, route, wire, operation, model, provider, target)
    SELECT row_number() OVER (), organization, project, key, route, wire, operation, model,
      CASE WHEN target LIKE 'backup/%' THEN 'backup' ELSE 'vendor' END, target
    FROM (SELECT DISTINCT organization, project, key, route, wire, operation, model, target FROM ledger)
      AS known`.execute(database);
  await sql`ANALYZE`.execute(database);
}
