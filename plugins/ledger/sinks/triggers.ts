import { dialectOf, sql } from '../../../core/api/database.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

// Triggers note each row that has ended, for every sink. They see the rows of all gateways, also of those with an
// earlier version or an earlier configuration, and exist only while there are sinks.

const INSERTED = 'ledger_unshipped_insert';
const UPDATED = 'ledger_unshipped_update';
const events = [
  { name: INSERTED, event: 'INSERT' },
  { name: UPDATED, event: 'UPDATE' },
];

const createInSqlite = events.map(
  ({ name, event }) => `CREATE TRIGGER ${name} AFTER ${event} ON ledger
    WHEN NEW.state <> 'pending' BEGIN
      INSERT INTO ledger_unshipped (sink, token, ids, written_at)
        SELECT name, printf('%012x', at) || lower(hex(randomblob(8))), NEW.id, at
        FROM ledger_sinks, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at);
    END`,
);

/** One entry for all rows of a statement. The first of its ids is the lowest. */
const createInPostgres = [
  `CREATE OR REPLACE FUNCTION ledger_note_unshipped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO ledger_unshipped (sink, token, ids, written_at)
      SELECT name, lpad(to_hex(at), 12, '0') || gen_random_uuid(), ended.ids, at FROM ledger_sinks,
        (SELECT string_agg(id, ' ' ORDER BY id) AS ids FROM written WHERE state <> 'pending') AS ended,
        (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS at) AS now
      WHERE ended.ids IS NOT NULL;
    RETURN NULL;
  END $$`,
  ...events.map(
    ({ name, event }) => `CREATE TRIGGER ${name} AFTER ${event} ON ledger
      REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ledger_note_unshipped()`,
  ),
];

/** Whether rows are noted. */
export async function hasTriggers(database: LedgerDatabase, table = 'ledger'): Promise<boolean> {
  const query =
    dialectOf(database).name === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = ${INSERTED}`
      : sql`SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(${table}) AND tgname = ${INSERTED}`;
  return (await query.execute(database)).rows.length > 0;
}

/** Creates them unless they exist. Dropping them first would wait for everyone who reads the table. */
export async function createTriggers(transaction: LedgerDatabase): Promise<void> {
  if (await hasTriggers(transaction)) return;
  const { name } = dialectOf(transaction);
  for (const statement of name === 'sqlite' ? createInSqlite : createInPostgres)
    await sql.raw(statement).execute(transaction);
}

export async function dropTriggers(transaction: LedgerDatabase, table = 'ledger'): Promise<void> {
  const of = dialectOf(transaction).name === 'sqlite' ? sql`` : sql` ON ${sql.ref(table)}`;
  for (const { name } of events) await sql`DROP TRIGGER IF EXISTS ${sql.ref(name)}${of}`.execute(transaction);
}
