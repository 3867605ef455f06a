import { expect } from 'chai';
import { openDatabase, sql } from '../../../../core/api/database.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { registerSink } from '../../../../plugins/ledger/sinks/register.ts';
import { takeBatch, takeHistory } from '../../../../plugins/ledger/sinks/unshipped.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { createPartitions, listPartitions } from '../../../../plugins/ledger/thread/partitions.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { freshPostgres } from '../../../support/servers/databases.ts';
import { requirePostgres } from '../../../support/servers/postgres.ts';
import { until } from '../../../support/until.ts';
import { NOW } from '../setup.ts';
import { idOf, rowOf } from './rows.ts';

const DAY = 86_400_000;

describe('rows that a sink does not have, while others write to Postgres', () => {
  before(function () {
    requirePostgres(this);
  });
  let url: string;
  let database: LedgerDatabase;
  beforeEach(async () => {
    url = await freshPostgres();
    database = await openDatabase<LedgerSchema>(url, ledgerTables(10_000));
  });
  afterEach(() => database.destroy());
  const write = (id: string, at = NOW): Promise<void> =>
    createWriteRows(database, createAddRollup(database))('ours', [rowOf(id, at)]);
  const noted = async (): Promise<readonly string[]> => (await takeBatch(database, 'a', 100)).rows.map(({ id }) => id);
  /** Inserts a row in a transaction that ends with the promise. */
  const writeSlowly = (id: string, end: Promise<void>) => {
    let begun = (): void => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const ended = database.transaction().execute(async (transaction) => {
      const row = { ...(await database.selectFrom('ledger').selectAll().executeTakeFirstOrThrow()), id };
      await transaction.insertInto('ledger').values(row).execute();
      begun();
      await end;
    });
    return { hasBegun, ended };
  };

  it('have what commits later than rows that were written after it', async () => {
    await write(idOf('0'));
    await registerSink(database, 'a', false);
    let commit = (): void => {};
    const { hasBegun, ended } = writeSlowly(idOf('1'), new Promise((resolve) => (commit = resolve)));
    await hasBegun;
    await write(idOf('2'));
    expect(await noted()).to.deep.equal([idOf('2')]);
    commit();
    await ended;
    expect(await noted()).to.deep.equal([idOf('1'), idOf('2')]);
  });

  it('are known from the first, or part of the history, if they are under way when the sink becomes known', async () => {
    await write(idOf('0'));
    // The triggers exist: creating them would wait by itself.
    await registerSink(database, 'b', false);
    let commit = (): void => {};
    const { hasBegun, ended } = writeSlowly(idOf('1'), new Promise((resolve) => (commit = resolve)));
    await hasBegun;
    const registered = registerSink(database, 'a', true);
    const waiting = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'ledger'::regclass`;
    await until('it waits for the row', async () => (await waiting.execute(database)).rows.length > 0);
    const later = write(idOf('2'));
    commit();
    await Promise.all([ended, registered, later]);
    const history = (await takeHistory(database, 'a', 100))?.rows.map(({ id }) => id) ?? [];
    expect([...new Set([...history, ...(await noted())])].toSorted()).to.deep.equal(
      ['0', '1', '2'].map((id) => idOf(id)),
    );
  });

  it('are noted after the table has got partitions, and in each of them', async () => {
    await registerSink(database, 'a', false);
    await write(idOf('1'));
    await createPartitions(database, url, 30 * DAY, NOW, () => {});
    expect(await listPartitions(database)).to.have.length.above(2);
    await write(idOf('2'));
    await write(idOf('3', NOW + 8 * DAY), NOW + 8 * DAY);
    await registerSink(database, 'a', false);
    expect(await noted()).to.deep.equal([idOf('1'), idOf('2'), idOf('3', NOW + 8 * DAY)]);
  });
});
