import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '../../../core/index.ts';
import type { Report } from '../../../plugins/ledger/messages.ts';
import { at, openRow, settledRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { createJournal, type Journal } from '../../../plugins/ledger/thread/journal.ts';
import { createSpool } from '../../../plugins/ledger/thread/spool.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { exchangeOf, NOW, outcomeOf } from './setup.ts';

const opened = (exchange = exchangeOf()): LedgerRow => openRow(exchange, NOW);
const settled = (exchange = exchangeOf()): LedgerRow => settledRow(exchange, outcomeOf([]), NOW, NOW);
const down = new Error('the database is away');
const refusal = new GatewayError('KOINE_STORE_FAILED', 'no', {
  cause: Object.assign(new Error('constraint'), { errcode: 19 }),
});

describe('the journal of the ledger', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let journal: Journal;
  let fault: ((rows: readonly LedgerRow[]) => Error | undefined) | undefined;
  let written: LedgerRow[];
  let withdrawn: string[];
  let reports: Report[];
  let said: string[];
  const start = (strict: boolean, rows = 100): void => {
    journal = createJournal({
      write: async (batch) => {
        const error = fault?.(batch);
        if (error !== undefined) throw error;
        written.push(...batch);
      },
      withdraw: async (ids) => void withdrawn.push(...ids),
      renewLease: async () => {
        if (fault?.([]) !== undefined) throw down;
      },
      renewEveryMs: 60_000,
      spool: createSpool(join(folder.path, 'spool'), 'ours', { rows, bytes: 1e6 }, () => {}),
      strict,
      report: (report) => reports.push(report),
      log: (level, _fields, text) => said.push(`${level}: ${text}`),
    });
  };
  const isBack = async (): Promise<void> => {
    for (const deadline = performance.now() + 30_000; !said.some((text) => text.startsWith('info')); await delay(10))
      if (performance.now() > deadline) throw new Error('it did not come back');
  };
  beforeEach(() => {
    folder = createTemporaryFolder();
    [fault, written, withdrawn, reports, said] = [undefined, [], [], [], []];
  });
  afterEach(() => {
    journal.close();
    folder.remove();
  });

  it('keeps what cannot be written and writes it afterwards; of what was opened and settled meanwhile only the end', async () => {
    start(false);
    fault = () => down;
    const [exchange, before, open] = [exchangeOf(), settled(), opened()];
    expect(await journal.take([before, opened(exchange), open])).to.equal(false);
    expect(await journal.take([settled(exchange)])).to.equal(false);
    expect(written).to.be.empty;
    expect(reports.at(-1)).to.include({ waiting: 3 });
    fault = undefined;
    await isBack();
    expect(written.map(([id, state]) => [id, state])).to.deep.equal([
      [before[at.id], 'settled'],
      [exchange.id, 'settled'],
      [open[at.id], 'pending'],
    ]);
    expect(await journal.take([settled()])).to.equal(true);
    expect(said.filter((text) => text.startsWith('error'))).to.have.length(1);
    expect(reports.reduce((sum, report) => sum + report.written.spool, 0)).to.equal(2);
  });

  it('that is strict gives openings up, and takes them back where they were written after all', async () => {
    start(true);
    fault = () => down;
    const [tried, late] = [opened(), opened()];
    expect(await journal.take([tried])).to.equal(false);
    expect(await journal.take([late])).to.equal(false);
    fault = undefined;
    await isBack();
    expect(written).to.be.empty;
    expect(withdrawn).to.deep.equal([tried[at.id]]);
  });

  it('sets a row aside that the database will never take, and goes on with the others', async () => {
    start(false);
    const [bad, ...good] = Array.from({ length: 9 }, () => settled());
    fault = (rows) => (rows.some(([id]) => id === bad?.[at.id]) ? refusal : undefined);
    expect(await journal.take([...good.slice(0, 3), bad!, ...good.slice(3)])).to.equal(true);
    expect(written.map(([id]) => id)).to.have.members(good.map(([id]) => id));
    expect(said).to.deep.equal(['error: the database refuses a row of the ledger; it stands here instead']);
  });

  it('counts what is lost when the spool is full, and says so once', async () => {
    start(false, 2);
    fault = () => down;
    for (let time = 0; time < 4; time += 1) await journal.take([settled()]);
    expect(reports.reduce((sum, report) => sum + report.failed.spool, 0)).to.equal(2);
    expect(said.filter((text) => /spool of the ledger is full/.test(text))).to.have.length(1);
  });

  it('leaves in the spool what only it knows when it ends', async () => {
    start(false);
    fault = () => down;
    const open = opened();
    await journal.take([open]);
    journal.close();
    const spool = createSpool(join(folder.path, 'spool'), 'ours', { rows: 9, bytes: 1e6 }, () => {});
    expect(spool.take().flatMap((part) => part.read().map(([id]) => id))).to.deep.equal([open[at.id]]);
  });
});
