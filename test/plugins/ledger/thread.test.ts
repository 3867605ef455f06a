import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestServices } from '../../../core/testing/services.ts';
import { startThread, type LedgerThread } from '../../../plugins/ledger/thread.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

/** Invalid JSON: it kills the thread, and its replacements, which get it again. */
const POISON = '{';
const LONG_MS = 5_000;
const late = (): Promise<string> => delay(LONG_MS, 'late', { ref: false });

describe('a ledger thread that has died', () => {
  const folder = createTemporaryFolder();
  const deaths: unknown[] = [];
  let thread: LedgerThread;
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
        url: `sqlite:${join(folder.path, 'koine.db')}`,
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

  it('closes a thread that has died without replacing it', async () => {
    await die();
    expect(await Promise.race([thread.close(), late()])).to.equal(undefined);
    await delay(1_500);
    expect(await Promise.race([spend().catch((error: unknown) => error), late()])).to.include({
      code: 'KOINE_STORE_FAILED',
    });
  });
});
