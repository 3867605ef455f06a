import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { createReader, type LedgerReader } from '../../../plugins/ledger/reader.ts';
import type { LedgerThread } from '../../../plugins/ledger/thread.ts';
import { until } from '../../until.ts';

const IDLE_MS = 30;

describe('the reader of the ledger', () => {
  let starts: number;
  let ends: number;
  let answer: () => Promise<bigint>;
  let fault: Error | undefined;
  let reader: LedgerReader;
  beforeEach(() => {
    [starts, ends, fault] = [0, 0, undefined];
    answer = async () => 7n;
    const start = async (): Promise<LedgerThread> => {
      starts += 1;
      if (fault !== undefined) throw fault;
      return {
        write: async () => false,
        ask: answer as LedgerThread['ask'],
        keepHouse: () => {},
        close: async () => void (ends += 1),
      };
    };
    reader = createReader(start, IDLE_MS);
  });
  afterEach(() => reader.close());
  const spend = (): Promise<unknown> => reader.ask('spent', { path: [], models: [], since: 0 });

  it('has no thread before the first question, and one for all', async () => {
    expect(starts).to.equal(0);
    expect(await Promise.all([spend(), spend()])).to.deep.equal([7n, 7n]);
    expect([await spend(), starts, ends]).to.deep.equal([7n, 1, 0]);
  });

  it('ends it after a pause, and starts another for the next question', async () => {
    await spend();
    await until('it has ended', () => ends === 1);
    expect([await spend(), starts]).to.deep.equal([7n, 2]);
  });

  it('does not end it while a question is open', async () => {
    const { promise, resolve } = Promise.withResolvers<bigint>();
    answer = () => promise;
    const asked = spend();
    await delay(3 * IDLE_MS);
    expect(ends).to.equal(0);
    resolve(1n);
    expect(await asked).to.equal(1n);
  });

  it('tries again where a thread could not be started', async () => {
    fault = new Error('the database is away');
    expect(await spend().catch((error: unknown) => error)).to.equal(fault);
    fault = undefined;
    expect([await spend(), starts]).to.deep.equal([7n, 2]);
  });
});
