import { expect } from 'chai';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, sql } from '../../../core/api/database.ts';
import { openRow } from '../../../plugins/ledger/open-row.ts';
import { settledRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { watchDatabaseFile } from '../../../plugins/ledger/thread/database-file.ts';
import { renewLease } from '../../../plugins/ledger/thread/leases.ts';
import { readSpoolFile } from '../../../plugins/ledger/spool/spool-files.ts';
import { Housekeeping } from '../../../plugins/ledger/thread/housekeeping.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { exchangeOf, NOW, outcomeOf } from './setup.ts';

const LEASE = 15_000;

describe('Housekeeping', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let database: LedgerDatabase;
  let housekeeping: Housekeeping;
  let changes = 0;
  let onChecked: () => void;
  beforeEach(async () => {
    folder = createTemporaryFolder();
    changes = 0;
    onChecked = () => {};
    const file = join(folder.path, 'koine.db');
    database = await openDatabase<LedgerSchema>(`sqlite:${file}`, ledgerTables(1_000));
    const { check } = watchDatabaseFile(file);
    housekeeping = new Housekeeping({
      database,
      process: 'ours',
      settings: { leaseMs: LEASE, retentionMs: 1e12, usageRetentionMs: 1e12, spoolPath: join(folder.path, 'spool') },
      checkFile: () => {
        check();
        onChecked();
      },
      log: () => {},
      onSpendingChanged: () => void (changes += 1),
    });
    await createWriteRows(database, createAddRollup(database))('dead', [openRow(exchangeOf(), NOW)]);
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

  /** Appends rows to a spool file of a process. */
  const leave = (process: string, ...rows: readonly LedgerRow[]): string => {
    const path = join(folder.path, `spool.${process}.0`);
    for (const row of rows) appendFileSync(path, `${JSON.stringify(row)}\n`);
    return path;
  };

  it('marks rows of dead processes as abandoned after it could write for a whole lease', async () => {
    await housekeeping.run(0);
    await housekeeping.run(LEASE - 1);
    expect(await states()).to.deep.equal(['pending']);
    await housekeeping.run(LEASE);
    expect(await states()).to.deep.equal(['abandoned']);
  });

  it('reports changed spending after its first judgement, and whenever it counts rows of dead processes', async () => {
    await database.deleteFrom('ledger').execute();
    await housekeeping.run(0);
    expect(changes).to.equal(0);
    await housekeeping.run(LEASE);
    expect(changes).to.equal(1);
    await housekeeping.run(2 * LEASE);
    expect(changes).to.equal(1);
    await createWriteRows(database, createAddRollup(database))('dead', [openRow(exchangeOf(), NOW)]);
    await housekeeping.run(3 * LEASE);
    expect(changes).to.equal(2);
    leave('dead', settledRow(exchangeOf(), outcomeOf([]), NOW, NOW));
    await housekeeping.run(4 * LEASE);
    expect(changes).to.equal(3);
  });

  it('waits for a whole lease after writes have failed, even though reads succeeded', async () => {
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

  it('housekeeping deletes its own lease when it stops', async () => {
    await housekeeping.run(0);
    await housekeeping.stop();
    expect(await database.selectFrom('ledger_processes').selectAll().execute()).to.be.empty;
  });

  it('writes the spool file of a process that seems dead without losing rows that the process adds later', async () => {
    const [left, late] = [openRow(exchangeOf(), NOW), openRow(exchangeOf(), NOW)];
    const path = leave('dead', left);
    await housekeeping.run(0);
    let checks = 0;
    onChecked = () => void ((checks += 1) === 2 && leave('dead', late));
    await housekeeping.run(LEASE);
    onChecked = () => {};
    expect(readSpoolFile(path)).to.deep.include(late);
    await housekeeping.run(2 * LEASE);
    expect(await states()).to.have.length(3);
    expect(existsSync(path)).to.equal(false);
  });

  it('writes at once what is in the files of other processes, and leaves the files until a process is dead', async () => {
    const rows = ['theirs', 'dead'].map(() => settledRow(exchangeOf(), outcomeOf([]), NOW, NOW));
    const own = settledRow(exchangeOf(), outcomeOf([]), NOW, NOW);
    const [theirs = '', dead = ''] = ['theirs', 'dead'].map((process, index) => leave(process, rows[index]!));
    leave('ours', own);
    await renewLease(database, 'theirs', LEASE);
    await housekeeping.replay();
    expect(await states()).to.have.members(['pending', 'settled', 'settled']);
    expect(changes).to.equal(1);
    expect([theirs, dead].map((path) => readSpoolFile(path).length)).to.deep.equal([1, 1]);
    await housekeeping.run(0);
    await renewLease(database, 'ours', LEASE);
    await housekeeping.run(LEASE);
    expect([theirs, dead].map(existsSync)).to.deep.equal([true, false]);
    const sums = await database.selectFrom('ledger_usage').selectAll().where('step', '=', 'month').execute();
    expect(sums.reduce((sum, { exchanges }) => sum + Number(exchanges), 0)).to.equal(3);
  });

  const removals: readonly (readonly [when: string, remove: (removeFile: () => void) => void])[] = [
    ['before the round', (removeFile) => removeFile()],
    ['while the round runs', (removeFile) => (onChecked = removeFile)],
  ];
  for (const [when, remove] of removals) {
    it(`keeps spooled rows when the SQLite file is removed ${when}: they would be written to no file`, async () => {
      const path = leave('dead', openRow(exchangeOf(), NOW));
      await housekeeping.run(0);
      remove(() => rmSync(join(folder.path, 'koine.db'), { force: true }));
      expect(await fail(LEASE))
        .to.be.an('error')
        .with.property('message')
        .that.includes('removed');
      expect(readSpoolFile(path)).to.have.length(1);
    });
  }
});
