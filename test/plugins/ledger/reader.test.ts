import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { LedgerReader } from '../../../plugins/ledger/reader.ts';
import type { LedgerThread } from '../../../plugins/ledger/thread.ts';
import { until } from '../../support/until.ts';

const IDLE_MS = 30;

describe('LedgerReader', () => {
  let starts: number;
  let ends: number;
  let result: () => Promise<bigint>;
  let fault: Error | undefined;
  let reader: LedgerReader;
  beforeEach(() => {
    [starts, ends, fault] = [0, 0, undefined];
    result = async () => 7n;
    const start = async (): Promise<LedgerThread> => {
      starts += 1;
      if (fault !== undefined) throw fault;
      return {
        write: async () => false,
        query: result as LedgerThread['query'],
        startHousekeeping: () => {},
        openPort: () => new MessageChannel().port1,
        close: async () => void (ends += 1),
      };
    };
    reader = new LedgerReader(start, IDLE_MS);
  });
  afterEach(() => reader.close());
  const spend = (): Promise<unknown> => reader.query('spent', { path: [], models: [], since: 0 });

  it('the reader starts one thread, with the first query', async () => {
    expect(starts).to.equal(0);
    expect(await Promise.all([spend(), spend()])).to.deep.equal([7n, 7n]);
    expect([await spend(), starts, ends]).to.deep.equal([7n, 1, 0]);
  });

  it('ends an idle thread and starts another for the next query', async () => {
    await spend();
    await until('the thread has ended', () => ends === 1);
    expect([await spend(), starts]).to.deep.equal([7n, 2]);
  });

  it('the reader does not end the thread while a query is running', async () => {
    const { promise, resolve } = Promise.withResolvers<bigint>();
    result = () => promise;
    const running = spend();
    await delay(3 * IDLE_MS);
    expect(ends).to.equal(0);
    resolve(1n);
    expect(await running).to.equal(1n);
  });

  it('starts a thread again after the first one failed to start', async () => {
    fault = new Error('the database is down');
    expect(await spend().catch((error: unknown) => error)).to.equal(fault);
    fault = undefined;
    expect([await spend(), starts]).to.deep.equal([7n, 2]);
  });
});
