import { expect } from 'chai';
import { join } from 'node:path';
import { createTestServices } from '../../../core/testing/services.ts';
import { createMeters } from '../../../plugins/ledger/meters.ts';
import type { RowsToWrite } from '../../../plugins/ledger/messages.ts';
import { at, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { Spool } from '../../../plugins/ledger/spool/spool.ts';
import { listSpoolFiles, readSpoolFile } from '../../../plugins/ledger/spool/spool-files.ts';
import { LedgerWriter } from '../../../plugins/ledger/writer.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { exchangeOf, outcomeOf } from './setup.ts';

describe('LedgerWriter', () => {
  let messages: (readonly LedgerRow[])[];
  let answer: (written: boolean) => void;
  let now: number;
  let writer: LedgerWriter;
  let folder: ReturnType<typeof createTemporaryFolder>;
  let errors: unknown[];
  const statesOf = (id: string): readonly string[] =>
    messages
      .flat()
      .filter((row) => row[at.id] === id)
      .map((row) => row[at.state]);
  /** @param written result of every write; undefined: it is pending until `answer` is called */
  const start = (written: boolean | undefined, bytes = 1e9, onFull: 'refuse' | 'allow' = 'refuse'): void => {
    const { log, metrics } = createTestServices();
    const thread = {
      write: ({ text, file }: RowsToWrite) =>
        new Promise<boolean>((resolve) => {
          const given = JSON.parse(text) as readonly LedgerRow[];
          messages.push(file === undefined ? given : [...readSpoolFile(file), ...given]);
          answer = resolve;
          if (written !== undefined) resolve(written);
        }),
      query: () => Promise.reject(new Error('not here')),
      startHousekeeping: () => {},
      close: async () => {},
    };
    writer = new LedgerWriter({
      thread,
      spool: new Spool({ path: join(folder.path, 'spool'), bytes }, 'ours', (error) => errors.push(error)),
      onFull,
      meters: createMeters(metrics, 'sqlite', bytes),
      clock: { now: () => 1_000 + now, monotonic: () => now },
      log,
      refused: 5,
    });
  };
  beforeEach(() => {
    [messages, now, errors] = [[], 0, []];
    folder = createTemporaryFolder();
  });
  afterEach(async () => {
    answer?.(true);
    await writer.close();
    folder.remove();
    expect(errors).to.be.empty;
  });
  /** The rows in files, which a process that is killed leaves. */
  const idsInFiles = (): readonly string[] =>
    listSpoolFiles(join(folder.path, 'spool')).flatMap(({ path }) => readSpoolFile(path).map(([id]) => id));
  const settleOne = (): string => {
    const exchange = exchangeOf();
    writer.settle(writer.open(exchange), outcomeOf([]));
    return exchange.id;
  };
  /** Waits until a batch has been written. */
  const pass = async (): Promise<void> => {
    const end = exchangeOf();
    writer.settle(writer.open(end), outcomeOf([]));
    await until('a batch is written', () => statesOf(end.id).length > 0);
  };

  it('writes a short exchange once, however many batches are written meanwhile', async () => {
    start(true);
    const exchange = exchangeOf();
    const open = writer.open(exchange);
    for (now of [100, 200, 249]) await pass();
    expect(statesOf(exchange.id)).to.deep.equal([]);
    writer.settle(open, outcomeOf([]));
    await pass();
    now = 1_000;
    await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['settled']);
  });

  it('writes the open row of a long exchange once, and its settled row', async () => {
    start(true);
    const exchange = exchangeOf();
    const open = writer.open(exchange);
    for (now of [100, 250, 500]) await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['pending']);
    writer.settle(open, outcomeOf([]));
    await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['pending', 'settled']);
  });

  it('writes settled rows in the order they were settled, before open rows', async () => {
    start(true);
    writer.open(exchangeOf({ id: 'open' }));
    const short = ['one', 'two', 'three'].map((id) => writer.open(exchangeOf({ id })));
    now = 300;
    for (const open of short.toReversed()) writer.settle(open, outcomeOf([]));
    await until('the open row is written', () => statesOf('open').length > 0);
    expect(messages.map((rows) => rows.map((row) => row[at.id]))).to.deep.equal([['three', 'two', 'one', 'open']]);
  });

  it('writes a strict open row at once and resolves when it is in the database', async () => {
    start(undefined);
    const open = writer.open(exchangeOf({ id: 'strict' }));
    let persisted = false;
    const waiting = writer.persist(open).then(() => (persisted = true));
    await new Promise(setImmediate);
    expect(statesOf('strict')).to.deep.equal(['pending']);
    const late = writer.persist(writer.open(exchangeOf({ id: 'late' })));
    await new Promise(setImmediate);
    expect([persisted, statesOf('late')]).to.deep.equal([false, []]);
    answer(true);
    await waiting;
    await until('the next row is written', () => statesOf('late').length > 0);
    answer(true);
    await late;
  });

  it('rejects a strict open row that could not be written and does not write it again', async () => {
    start(false);
    const error: unknown = await writer
      .persist(writer.open(exchangeOf({ id: 'refused' })))
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'ledger_unavailable' });
    now = 1_000;
    await pass();
    expect(statesOf('refused')).to.deep.equal(['pending']);
  });

  it('writes all settled and open rows when it is closed', async () => {
    start(true);
    for (let index = 0; index < 4_500; index += 1) settleOne();
    writer.open(exchangeOf({ id: 'open' }));
    await writer.close();
    expect(messages.flat()).to.have.length(4_501);
    expect(new Set(messages.flat().map(([id]) => id)).size).to.equal(4_501);
    expect(statesOf('open')).to.deep.equal(['pending']);
    expect(listSpoolFiles(join(folder.path, 'spool'))).to.be.empty;
  });

  it('hands the rows of a turn of the event loop to a file before an immediate that is queued after them', async () => {
    start(undefined);
    const first = settleOne();
    const second = settleOne();
    expect(idsInFiles()).to.be.empty;
    const found = await new Promise((resolve) => setImmediate(() => resolve(idsInFiles())));
    expect(found).to.deep.equal([first, second]);
  });

  it('keeps the rows in a file until they are in the database', async () => {
    start(undefined);
    const id = settleOne();
    await until('the row is sent', () => statesOf(id).length > 0);
    expect(idsInFiles()).to.deep.equal([id]);
    answer(true);
    await until('the file is empty', () => idsInFiles().length === 0);
  });

  const report = (downSince: number | undefined): void => writer.onReport({ written: 0, failed: 0, downSince });

  it('writes each row once after an outage, also those that no longer fit into memory', async () => {
    start(true);
    report(1_000);
    const ids: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      ids.push(...Array.from({ length: 1_000 }, settleOne));
      await new Promise(setImmediate);
    }
    const open = writer.open(exchangeOf({ id: 'open' }));
    await until('the rows are in files', () => idsInFiles().length === ids.length);
    expect(messages).to.be.empty;
    expect(listSpoolFiles(join(folder.path, 'spool')).length).to.be.above(2);
    now = 1_000;
    report(undefined);
    await until('the rows are written', () => messages.flat().length === ids.length + 1);
    expect(messages.flat().map(([id]) => id)).to.have.members([...ids, 'open']);
    writer.settle(open, outcomeOf([]));
  });

  it('writes an open row that could not be written again, if its exchange is still open', async () => {
    start(undefined);
    const opens = ['still', 'over'].map((id) => writer.open(exchangeOf({ id })));
    now = 300;
    await until('the open rows are sent', () => statesOf('still').length > 0);
    answer(false);
    writer.settle(opens[1]!, outcomeOf([]));
    await until('they are sent again', () => statesOf('still').length === 2);
    expect([statesOf('still'), statesOf('over')]).to.deep.equal([
      ['pending', 'pending'],
      ['pending', 'settled'],
    ]);
  });

  it('refuses exchanges while the spool is full, and loses no row of those before', async () => {
    start(true, 1_500);
    report(1_000);
    const [late, ...ids] = [writer.open(exchangeOf({ id: 'late' })), ...Array.from({ length: 5 }, settleOne)];
    await until('the rows are in files', () => idsInFiles().length === ids.length);
    expect(() => writer.open(exchangeOf()))
      .to.throw()
      .that.includes({ code: 'ledger_unavailable' });
    writer.settle(late, outcomeOf([]));
    await until('the late row is in a file', () => idsInFiles().length === ids.length + 1);
    report(undefined);
    await until('the rows are written', () => messages.flat().length === ids.length + 1);
    settleOne();
  });

  it('serves exchanges while the spool is full, without a row, where the operator has chosen that', async () => {
    start(true, 1_500, 'allow');
    report(1_000);
    const kept = Array.from({ length: 5 }, settleOne);
    await until('the rows are in files', () => idsInFiles().length === kept.length);
    settleOne();
    await new Promise(setImmediate);
    report(undefined);
    await until('the rows are written', () => messages.flat().length > 0);
    expect(messages.flat().map(([id]) => id)).to.deep.equal(kept);
  });
});
