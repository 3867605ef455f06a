import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, sql } from '../../../core/index.ts';
import { openRow, settledRow } from '../../../plugins/ledger/row.ts';
import { ledgerTables, type LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { createSpool } from '../../../plugins/ledger/thread/spool.ts';
import { createHousekeeping, type Housekeeping } from '../../../plugins/ledger/thread/housekeeping.ts';
import { createCountRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { exchangeOf, NOW, outcomeOf } from './setup.ts';

const LEASE = 15_000;
const limits = { rows: 100, bytes: 1_000_000 };

describe('what looks after processes that are gone', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let database: LedgerDatabase;
  let housekeeping: Housekeeping;
  let found = 0;
  beforeEach(async () => {
    folder = createTemporaryFolder();
    found = 0;
    const file = join(folder.path, 'koine.db');
    database = await openDatabase<LedgerSchema>(`sqlite:${file}`, ledgerTables(1_000));
    housekeeping = createHousekeeping(
      database,
      { leaseMs: LEASE, retentionMs: 1e12, usageRetentionMs: 1e12, spoolPath: join(folder.path, 'spool') },
      () => {},
      () => void (found += 1),
    );
    await createWriteRows(database, createCountRollup(database))('silent', [openRow(exchangeOf(), NOW)]);
  });
  afterEach(async () => {
    await database.destroy();
    folder.remove();
  });
  const states = async (): Promise<readonly string[]> =>
    (await database.selectFrom('ledger').select('state').execute()).map(({ state }) => state);
  const fail = (now: number): Promise<unknown> =>
    housekeeping.run(now).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('judges them when it has been able to write for a lease', async () => {
    await housekeeping.run(0);
    await housekeeping.run(LEASE - 1);
    expect(await states()).to.deep.equal(['pending']);
    await housekeeping.run(LEASE);
    expect(await states()).to.deep.equal(['abandoned']);
  });

  it('says that it has found something, and at its first judgement in any case: a neighbour may have been quicker', async () => {
    await database.deleteFrom('ledger').execute();
    await housekeeping.run(0);
    expect(found).to.equal(0);
    await housekeeping.run(LEASE);
    expect(found).to.equal(1);
    await housekeeping.run(2 * LEASE);
    expect(found).to.equal(1);
    await createWriteRows(database, createCountRollup(database))('silent', [openRow(exchangeOf(), NOW)]);
    await housekeeping.run(3 * LEASE);
    expect(found).to.equal(2);
    createSpool(join(folder.path, 'spool'), 'silent', limits, () => {}).append([
      settledRow(exchangeOf(), outcomeOf([]), NOW, NOW),
    ]);
    await housekeeping.run(4 * LEASE);
    expect(found).to.equal(3);
  });

  it('judges nobody until a lease after nobody could write, though all could be read', async () => {
    await housekeeping.run(0);
    await sql`PRAGMA query_only = ON`.execute(database);
    for (const rounds of [0.5, 1, 1.5, 2]) expect(await fail(rounds * LEASE)).to.be.an('error');
    await sql`PRAGMA query_only = OFF`.execute(database);
    await housekeeping.run(2.5 * LEASE);
    await housekeeping.run(3.4 * LEASE);
    expect(await states()).to.deep.equal(['pending']);
    await housekeeping.run(3.5 * LEASE);
    expect(await states()).to.deep.equal(['abandoned']);
  });

  it('has a lease of its own, and leaves none', async () => {
    await housekeeping.run(0);
    await housekeeping.stop();
    expect(await database.selectFrom('ledger_processes').selectAll().execute()).to.be.empty;
  });

  it('takes up a file that somebody has left, and its owner, who lives after all, loses nothing', async () => {
    const file = join(folder.path, 'spool');
    const spool = createSpool(file, 'silent', limits, () => {});
    const [left, late] = [openRow(exchangeOf(), NOW), openRow(exchangeOf(), NOW)];
    spool.append([left]);
    await housekeeping.run(0);
    await housekeeping.run(LEASE);
    expect(await states()).to.have.length(2);
    spool.append([late]);
    expect(spool.take().flatMap((part) => part.read())).to.deep.equal([late]);
    expect(existsSync(file)).to.equal(false);
  });
});
