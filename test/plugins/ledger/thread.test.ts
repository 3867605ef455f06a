import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestServices } from '../../../core/testing/services.ts';
import { openLedger } from '../../../plugins/ledger/thread/open-ledger.ts';
import { PortToThread } from '../../../plugins/ledger/port-to-thread.ts';
import { startThread, type LedgerThread } from '../../../plugins/ledger/thread.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

/** Invalid JSON: it kills the thread, and its replacements, which get it again. */
const POISON = '{';
const LONG_MS = 40_000;
const late = (): Promise<string> => delay(LONG_MS, 'late', { ref: false });

describe('a ledger thread that has died', () => {
  const folder = createTemporaryFolder();
  const deaths: unknown[] = [];
  let thread: LedgerThread;
  const url = `sqlite:${join(folder.path, 'koine.db')}`;
  const spend = (): Promise<unknown> => thread.query('spent', { path: ['acme'], models: [], since: 0 });
  const die = async (): Promise<void> => {
    const before = deaths.length;
    void thread.write({ text: POISON });
    for (const deadline = performance.now() + LONG_MS; deaths.length === before; await delay(5))
      if (performance.now() > deadline) throw new Error('the thread did not die');
  };
  beforeEach(async () => {
    const { log } = createTestServices();
    thread = await startThread(
      {
        url,
        writes: {
          process: 'ours',
          durability: 'batched',
          leaseMs: 15_000,
        },
      },
      { log: { ...log, error: (...line) => void deaths.push(line) }, onReport: () => {} },
    );
  });
  after(() => folder.remove());

  it('fails queries of a thread that has died until it is replaced', async () => {
    await die();
    expect(await Promise.race([spend().catch((error: unknown) => error), late()])).to.include({
      code: 'KOINE_STORE_FAILED',
    });
    await thread.close();
  });

  it('writes the rows of a worker thread, also after it was replaced, and ends its lease with it', async function () {
    this.timeout(60_000);
    const { log } = createTestServices();
    const database = await openLedger(url);
    const hasLease = async (): Promise<boolean> =>
      (await database.selectFrom('ledger_processes').select('id').where('id', '=', 'theirs').executeTakeFirst()) !==
      undefined;
    const worker = new PortToThread({ open: async () => thread.openPort('theirs'), log, onReport: () => {} });
    await worker.open();
    expect(await worker.write({ text: '[]' })).to.equal(true);
    expect(await hasLease()).to.equal(true);
    const before = deaths.length;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port is not a window
    thread.openPort('another').postMessage({ kind: 'rows', text: POISON });
    await until('the thread has died', () => deaths.length > before);
    expect(await worker.write({ text: '[]' })).to.equal(true);
    await worker.close();
    await until('its lease has ended', async () => !(await hasLease()));
    await database.destroy();
    await thread.close();
  });

  it('closes a thread that has died without replacing it', async () => {
    await die();
    expect(await Promise.race([thread.close(), late()])).to.equal(undefined);
    await delay(1_500);
    expect(await Promise.race([spend().catch((error: unknown) => error), late()])).to.include({
      code: 'KOINE_STORE_FAILED',
    });
  });
});
