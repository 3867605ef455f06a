import { expect } from 'chai';
import { createTestServices } from '../../../core/testing/services.ts';
import { createMeters } from '../../../plugins/ledger/meters.ts';
import { at, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { createWriter, type LedgerWriter } from '../../../plugins/ledger/writer.ts';
import { until } from '../../until.ts';
import { exchangeOf, outcomeOf } from './setup.ts';

describe('the writer of the ledger', () => {
  let messages: (readonly LedgerRow[])[];
  let answer: (written: boolean) => void;
  let now: number;
  let writer: LedgerWriter;
  const statesOf = (id: string): readonly string[] =>
    messages
      .flat()
      .filter((row) => row[at.id] === id)
      .map((row) => row[at.state]);
  /** What every message is answered with; undefined: none is, until `answer` is called. */
  const start = (written: boolean | undefined): void => {
    const { log, metrics } = createTestServices();
    const thread = {
      write: (text: string) =>
        new Promise<boolean>((resolve) => {
          messages.push(JSON.parse(text) as readonly LedgerRow[]);
          answer = resolve;
          if (written !== undefined) resolve(written);
        }),
      ask: () => Promise.reject(new Error('not here')),
      keepHouse: () => {},
      close: async () => {},
    };
    writer = createWriter({
      thread,
      meters: createMeters(metrics, 'sqlite'),
      clock: { now: () => 1_000 + now, monotonic: () => now },
      log,
    });
  };
  beforeEach(() => {
    [messages, now] = [[], 0];
  });
  afterEach(async () => {
    answer?.(true);
    await writer.close();
  });
  /** Some rounds of gathering pass. */
  const pass = async (): Promise<void> => {
    const end = exchangeOf();
    writer.settle(writer.open(end), outcomeOf([]));
    await until('a round has passed', () => statesOf(end.id).length > 0);
  };

  it('writes an exchange once that ends soon, however many rounds of gathering it takes', async () => {
    start(true);
    const exchange = exchangeOf();
    const opening = writer.open(exchange);
    for (now of [100, 200, 249]) await pass();
    expect(statesOf(exchange.id)).to.deep.equal([]);
    writer.settle(opening, outcomeOf([]));
    await pass();
    now = 1_000;
    await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['settled']);
  });

  it('writes the opening of one that goes on for long, once, and its end', async () => {
    start(true);
    const exchange = exchangeOf();
    const opening = writer.open(exchange);
    for (now of [100, 250, 500]) await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['pending']);
    writer.settle(opening, outcomeOf([]));
    await pass();
    expect(statesOf(exchange.id)).to.deep.equal(['pending', 'settled']);
  });

  it('writes ends in their order, before openings', async () => {
    start(true);
    writer.open(exchangeOf({ id: 'open' }));
    const openings = ['one', 'two', 'three'].map((id) => writer.open(exchangeOf({ id })));
    now = 300;
    for (const opening of openings.toReversed()) writer.settle(opening, outcomeOf([]));
    await until('they are written', () => statesOf('open').length > 0);
    expect(messages.map((rows) => rows.map((row) => row[at.id]))).to.deep.equal([['three', 'two', 'one', 'open']]);
  });

  it('has a strict opening written at once, and says when it is', async () => {
    start(undefined);
    const opening = writer.open(exchangeOf({ id: 'strict' }));
    let secured = false;
    const waiting = writer.secure(opening).then(() => (secured = true));
    await new Promise(setImmediate);
    expect(statesOf('strict')).to.deep.equal(['pending']);
    const late = writer.secure(writer.open(exchangeOf({ id: 'late' })));
    await new Promise(setImmediate);
    expect([secured, statesOf('late')]).to.deep.equal([false, []]);
    answer(true);
    await waiting;
    await until('the next is written', () => statesOf('late').length > 0);
    answer(true);
    await late;
  });

  it('refuses a strict opening that could not be written, and forgets it', async () => {
    start(false);
    const error: unknown = await writer
      .secure(writer.open(exchangeOf({ id: 'refused' })))
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'ledger_unavailable' });
    now = 1_000;
    await pass();
    expect(statesOf('refused')).to.deep.equal(['pending']);
  });

  it('hands over everything at its end: what has ended, and what is still open', async () => {
    start(true);
    for (let index = 0; index < 4_500; index += 1) writer.settle(writer.open(exchangeOf()), outcomeOf([]));
    writer.open(exchangeOf({ id: 'young' }));
    await writer.close();
    expect(messages.map((rows) => rows.length)).to.deep.equal([2_001, 2_000, 500]);
    expect(statesOf('young')).to.deep.equal(['pending']);
  });
});
