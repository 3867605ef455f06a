import { expect } from 'chai';
import { createTestServices } from '../../../core/testing/services.ts';
import { createMeters } from '../../../plugins/ledger/meters.ts';
import { at, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { LedgerWriter } from '../../../plugins/ledger/writer.ts';
import { until } from '../../support/until.ts';
import { exchangeOf, outcomeOf } from './setup.ts';

describe('LedgerWriter', () => {
  let messages: (readonly LedgerRow[])[];
  let answer: (written: boolean) => void;
  let now: number;
  let writer: LedgerWriter;
  const statesOf = (id: string): readonly string[] =>
    messages
      .flat()
      .filter((row) => row[at.id] === id)
      .map((row) => row[at.state]);
  /** @param written result of every write; undefined: it is pending until `answer` is called */
  const start = (written: boolean | undefined): void => {
    const { log, metrics } = createTestServices();
    const thread = {
      write: (text: string) =>
        new Promise<boolean>((resolve) => {
          messages.push(JSON.parse(text) as readonly LedgerRow[]);
          answer = resolve;
          if (written !== undefined) resolve(written);
        }),
      query: () => Promise.reject(new Error('not here')),
      startHousekeeping: () => {},
      close: async () => {},
    };
    writer = new LedgerWriter({
      thread,
      meters: createMeters(metrics, 'sqlite'),
      clock: { now: () => 1_000 + now, monotonic: () => now },
      log,
      refused: 5,
    });
  };
  beforeEach(() => {
    [messages, now] = [[], 0];
  });
  afterEach(async () => {
    answer?.(true);
    await writer.close();
  });
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
    for (let index = 0; index < 4_500; index += 1) writer.settle(writer.open(exchangeOf()), outcomeOf([]));
    writer.open(exchangeOf({ id: 'open' }));
    await writer.close();
    expect(messages.map((rows) => rows.length)).to.deep.equal([2_001, 2_000, 500]);
    expect(statesOf('open')).to.deep.equal(['pending']);
  });
});
