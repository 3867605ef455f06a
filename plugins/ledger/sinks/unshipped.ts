import { nowOf, sql } from '../../../core/api/database.ts';
import { inParts } from '../../../core/api/internal.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { ledgerColumnNames, toSinkRow, type SinkRow } from './columns.ts';

// A sink has no position in an order of rows: transactions commit in another order than that in which they begin, and
// rows of a spool arrive days late. What it does not have yet is a set of entries, each deleted by its own token when
// its rows are shipped.

/** Rows that are shipped together. */
export interface Batch {
  /** Each id once, in ascending order. */
  readonly rows: readonly SinkRow[];
  /** Tokens in `ledger_unshipped`. */
  readonly entries: readonly string[];
  /** Of rows that are older than the sink: the last one; `null`: there are no further ones. */
  readonly history?: string | null;
  /** Rows that are not in the ledger any more. */
  readonly missing: number;
  readonly isFull: boolean;
}

/** Entries of one page. */
const PAGE = 500;

/**
 * Makes this process the one that ships the rows of a sink, unless another one with a lease does.
 * @returns whether it is the one
 */
export async function claimSink(database: LedgerDatabase, name: string, process: string): Promise<boolean> {
  const sink = await database.selectFrom('ledger_sinks').select('process').where('name', '=', name).executeTakeFirst();
  if (sink?.process === process) return true;
  const { numUpdatedRows } = await database
    .updateTable('ledger_sinks')
    .set({ process })
    .where('name', '=', name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_processes')
            .select('id')
            .whereRef('id', '=', 'ledger_sinks.process')
            .where('expires_at', '>', nowOf(database)),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The oldest entries, with `most` rows or a few hundred more. */
async function takeEntries(database: LedgerDatabase, sink: string, most: number) {
  const [ids, entries] = [new Set<string>(), [] as string[]];
  for (let last = ''; ;) {
    const page = await database
      .selectFrom('ledger_unshipped')
      .select(['token', 'ids'])
      .where('sink', '=', sink)
      .where('token', '>', last)
      .orderBy('token')
      .limit(PAGE)
      .execute();
    for (const { token, ids: listed } of page) {
      if (ids.size >= most) return { ids, entries, isFull: true };
      entries.push(token);
      for (const id of listed.split(' ')) ids.add(id);
      last = token;
    }
    if (page.length < PAGE) return { ids, entries, isFull: false };
  }
}

/** The oldest rows that the sink does not have. */
export async function takeBatch(database: LedgerDatabase, sink: string, most: number): Promise<Batch> {
  const { ids, entries, isFull } = await takeEntries(database, sink, most);
  const rows: SinkRow[] = [];
  await inParts([...ids].toSorted(), async (part) => {
    const found = await database
      .selectFrom('ledger')
      .select(ledgerColumnNames)
      .where('id', 'in', part)
      .orderBy('id')
      .execute();
    rows.push(...found.map(toSinkRow));
  });
  return { rows, entries, missing: ids.size - rows.length, isFull };
}

/** Rows that are older than the sink, by id; undefined: it has all of them. */
export async function takeHistory(database: LedgerDatabase, sink: string, most: number): Promise<Batch | undefined> {
  const { history_from: from, history_to: to } =
    (await database
      .selectFrom('ledger_sinks')
      .select(['history_from', 'history_to'])
      .where('name', '=', sink)
      .executeTakeFirst()) ?? {};
  if (from === null || from === undefined || to === undefined) return undefined;
  const found = await database
    .selectFrom('ledger')
    .select(ledgerColumnNames)
    .where('id', '>', from)
    .where('id', '<=', to)
    .where('state', '<>', 'pending')
    .orderBy('id')
    .limit(most)
    .execute();
  const isFull = found.length === most;
  const history = isFull ? (found.at(-1)?.id ?? null) : null;
  return { rows: found.map(toSinkRow), entries: [], history, missing: 0, isFull };
}

/** The rows of the batch are at the sink. */
export async function markShipped(
  database: LedgerDatabase,
  sink: string,
  { entries, history }: Pick<Batch, 'entries' | 'history'>,
): Promise<void> {
  await inParts(entries, (part) =>
    database.deleteFrom('ledger_unshipped').where('sink', '=', sink).where('token', 'in', part).execute(),
  );
  if (history !== undefined)
    await database.updateTable('ledger_sinks').set({ history_from: history }).where('name', '=', sink).execute();
}

/** Milliseconds since the oldest entry of the sink was written; 0 without entries. */
export async function measureLag(database: LedgerDatabase, sink: string): Promise<number> {
  const oldest = await database
    .selectFrom('ledger_unshipped')
    .select(sql<number>`${nowOf(database)} - written_at`.as('age'))
    .where('sink', '=', sink)
    .orderBy('token')
    .limit(1)
    .executeTakeFirst();
  return Math.max(0, Number(oldest?.age ?? 0));
}

const ID = /^req_([0-9a-f]{12})/;
/** The time in the id of a row, in unix milliseconds: it began then. 0 for an id of another form. */
const timeOf = (id: string): number => Number.parseInt(ID.exec(id)?.[1] ?? '0', 16);

/** No row that a sink lacks began before this time, in unix milliseconds. Infinity: there are none. */
export async function oldestUnshipped(database: LedgerDatabase): Promise<number> {
  const noted = await database
    .selectFrom('ledger_unshipped')
    .select(({ fn }) => fn.min('ids').as('ids'))
    .executeTakeFirst();
  const old = await database
    .selectFrom('ledger_sinks')
    .select(({ fn }) => fn.min('history_from').as('id'))
    .executeTakeFirst();
  const ids = [noted?.ids, old?.id].filter((id) => id !== null && id !== undefined);
  return Math.min(Infinity, ...ids.map(timeOf));
}
