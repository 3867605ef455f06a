import { expect } from 'chai';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../../../../core/api/index.ts';
import type { Report } from '../../../../plugins/ledger/messages.ts';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import { at, settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { watchDatabaseFile } from '../../../../plugins/ledger/thread/database-file.ts';
import { Journal } from '../../../../plugins/ledger/thread/journal.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { exchangeOf, NOW, outcomeOf } from '../setup.ts';

const open = (exchange = exchangeOf()): LedgerRow => openRow(exchange, NOW);
const settled = (exchange = exchangeOf()): LedgerRow => settledRow(exchange, outcomeOf([]), NOW, NOW);
const down = new Error('the database is down');
const rejection = new GatewayError('KOINE_STORE_FAILED', 'no', {
  cause: Object.assign(new Error('constraint'), { errcode: 19 }),
});

describe('Journal', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let journal: Journal;
  let fault: ((rows: readonly LedgerRow[]) => Error | undefined) | undefined;
  let checkFile: () => void;
  let written: LedgerRow[];
  let deleted: string[];
  let reports: Report[];
  let logged: string[];
  const start = (strict: boolean): void => {
    journal = new Journal({
      write: async (batch) => {
        const error = fault?.(batch);
        if (error !== undefined) throw error;
        written.push(...batch);
      },
      deleteOpen: async (ids) => void deleted.push(...ids),
      renewLease: async () => {
        if (fault?.([]) !== undefined) throw down;
      },
      renewEveryMs: 60_000,
      checkFile: () => checkFile(),
      strict,
      report: (report) => reports.push(report),
      log: (level, _fields, text) => logged.push(`${level}: ${text}`),
    });
  };
  const recovered = (): Promise<void> =>
    until('the journal is up', () => reports.length > 0 && reports.at(-1)?.downSince === undefined);
  beforeEach(() => {
    folder = createTemporaryFolder();
    [fault, written, deleted, reports, logged] = [undefined, [], [], [], []];
    checkFile = () => {};
  });
  afterEach(() => {
    journal.close();
    folder.remove();
  });

  it('tries a database that is down until it can be written, and reports both', async () => {
    start(false);
    fault = () => down;
    expect(await journal.write([settled()])).to.equal(false);
    expect(await journal.write([settled()])).to.equal(false);
    expect(reports.at(-1)?.downSince).to.be.a('number');
    expect(written).to.be.empty;
    fault = undefined;
    await recovered();
    expect(await journal.write([settled(), open()])).to.equal(true);
    expect(written).to.have.length(2);
    expect(logged).to.have.length(1);
    expect(reports.reduce((sum, report) => sum + report.written, 0)).to.equal(2);
    expect(reports.reduce((sum, report) => sum + report.failed, 0)).to.equal(1);
  });

  it('logs once that a database takes a lease and no row', async () => {
    start(false);
    fault = (rows) => (rows.length > 0 ? down : undefined);
    for (let time = 0; time < 3; time += 1) {
      expect(await journal.write([settled()])).to.equal(false);
      await recovered();
    }
    expect(logged).to.have.length(1);
  });

  it('deletes open rows of refused requests after an outage when durability is strict', async () => {
    start(true);
    fault = () => down;
    const [tried, late] = [open(), open()];
    expect(await journal.write([tried])).to.equal(false);
    expect(await journal.write([late])).to.equal(false);
    fault = undefined;
    await recovered();
    expect(written).to.be.empty;
    expect(deleted).to.deep.equal([tried[at.id]]);
  });

  it('writes a thousand rows in one transaction', async () => {
    let transactions = 0;
    fault = () => void (transactions += 1);
    start(false);
    await journal.write(Array.from({ length: 1_000 }, () => settled()));
    expect([transactions, written.length]).to.deep.equal([1, 1_000]);
  });

  it('logs a row that the database rejects and writes the others', async () => {
    start(false);
    const [bad, ...good] = Array.from({ length: 9 }, () => settled());
    fault = (rows) => (rows.some(([id]) => id === bad?.[at.id]) ? rejection : undefined);
    expect(await journal.write([...good.slice(0, 3), bad!, ...good.slice(3)])).to.equal(true);
    expect(written.map(([id]) => id)).to.have.members(good.map(([id]) => id));
    expect(logged).to.deep.equal(['error: the database rejected a row of the ledger; it is only in this line']);
  });

  it('does not count rows as written that went to an SQLite file which was removed', async () => {
    const file = join(folder.path, 'koine.db');
    writeFileSync(file, '');
    checkFile = watchDatabaseFile(file).check;
    start(false);
    fault = (rows) => void (rows.length > 0 && rmSync(file, { force: true }));
    expect(await journal.write([settled()])).to.equal(false);
    expect(logged).to.have.length(1);
    expect(reports.at(-1)?.downSince).to.be.a('number');
  });
});
