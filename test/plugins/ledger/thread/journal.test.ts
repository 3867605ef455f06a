import { expect } from 'chai';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '../../../../core/api/index.ts';
import type { Report } from '../../../../plugins/ledger/messages.ts';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import { at, settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { watchDatabaseFile } from '../../../../plugins/ledger/thread/database-file.ts';
import { Journal } from '../../../../plugins/ledger/thread/journal.ts';
import { Spool } from '../../../../plugins/ledger/thread/spool.ts';
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
  const start = (strict: boolean, rows = 100): void => {
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
      spool: new Spool(join(folder.path, 'spool'), 'ours', { rows, bytes: 1e6 }, () => {}),
      strict,
      report: (report) => reports.push(report),
      log: (level, _fields, text) => logged.push(`${level}: ${text}`),
    });
  };
  const recovered = async (): Promise<void> => {
    for (const deadline = performance.now() + 30_000; !logged.some((text) => text.startsWith('info')); await delay(10))
      if (performance.now() > deadline) throw new Error('the journal did not recover');
  };
  beforeEach(() => {
    folder = createTemporaryFolder();
    [fault, written, deleted, reports, logged] = [undefined, [], [], [], []];
    checkFile = () => {};
  });
  afterEach(() => {
    journal.close();
    folder.remove();
  });

  it('writes rows that were kept during an outage, without open rows that were settled meanwhile', async () => {
    start(false);
    fault = () => down;
    const [exchange, before, stillOpen] = [exchangeOf(), settled(), open()];
    expect(await journal.write([before, open(exchange), stillOpen])).to.equal(false);
    expect(await journal.write([settled(exchange)])).to.equal(false);
    expect(written).to.be.empty;
    expect(reports.at(-1)).to.include({ waiting: 3 });
    fault = undefined;
    await recovered();
    expect(written.map(([id, state]) => [id, state])).to.deep.equal([
      [before[at.id], 'settled'],
      [exchange.id, 'settled'],
      [stillOpen[at.id], 'pending'],
    ]);
    expect(await journal.write([settled()])).to.equal(true);
    expect(logged.filter((text) => text.startsWith('error'))).to.have.length(1);
    expect(reports.reduce((sum, report) => sum + report.written.spool, 0)).to.equal(2);
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

  it('counts every row that is lost while the spool is full, and logs it once', async () => {
    start(false, 2);
    fault = () => down;
    for (let time = 0; time < 4; time += 1) await journal.write([settled()]);
    expect(reports.reduce((sum, report) => sum + report.failed.spool, 0)).to.equal(2);
    expect(logged.filter((text) => /spool of the ledger is full/.test(text))).to.have.length(1);
  });

  it('keeps rows when the SQLite file is removed while they are written after an outage', async () => {
    const file = join(folder.path, 'koine.db');
    writeFileSync(file, '');
    checkFile = watchDatabaseFile(file).check;
    start(false);
    fault = () => down;
    const [row, stillOpen] = [settled(), open()];
    await journal.write([row, stillOpen]);
    fault = (rows) => void (rows.length > 0 && rmSync(file, { force: true }));
    await until('the rows are written to the removed file', () => written.length > 0 && reports.length > 1);
    expect(logged.filter((text) => text.startsWith('info'))).to.be.empty;
    expect(reports.at(-1)).to.include({ waiting: 2 });
    journal.close();
    const spool = new Spool(join(folder.path, 'spool'), 'ours', { rows: 9, bytes: 1e6 }, () => {});
    const kept = spool.takeBatches().flatMap((batch) => batch.read().map(([id]) => id));
    expect(kept).to.have.members([row[at.id], stillOpen[at.id]]);
  });

  it('keeps open rows when the SQLite file is removed while they are written after an outage', async () => {
    const file = join(folder.path, 'koine.db');
    writeFileSync(file, '');
    checkFile = watchDatabaseFile(file).check;
    start(false);
    fault = () => down;
    await journal.write([open()]);
    fault = (rows) => void (rows.length > 0 && rmSync(file, { force: true }));
    await until('the row is written to the removed file', () => written.length > 0 && reports.length > 1);
    expect(reports.at(-1)).to.include({ waiting: 1 });
  });

  it('leaves open rows in the spool when it is closed', async () => {
    start(false);
    fault = () => down;
    const row = open();
    await journal.write([row]);
    journal.close();
    const spool = new Spool(join(folder.path, 'spool'), 'ours', { rows: 9, bytes: 1e6 }, () => {});
    expect(spool.takeBatches().flatMap((part) => part.read().map(([id]) => id))).to.deep.equal([row[at.id]]);
  });
});
