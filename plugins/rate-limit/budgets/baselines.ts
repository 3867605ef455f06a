import type { Log, PrimaryServices } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { Timer } from '../../../core/api/internal.ts';
import type { Account, Baseline, BaselineSpan } from '../store/store.ts';

/** How long a request waits for the ledger. */
const TIMEOUT_MS = 2_000;
/** How long a late result is used, and how long a ledger that failed is not read again. */
const KEEP_MS = 1_000;

/** One read of the ledger, which several requests can wait for. */
interface LedgerRead {
  readonly result: Promise<Baseline>;
  /** A request has timed out waiting for it: no other request waits. */
  isLate: boolean;
}

/** What accounts had spent before they were counted, by the ledger. Without a ledger it is 0. */
export class Baselines {
  readonly #spent: PrimaryServices['spent'];
  readonly #log: Log;
  readonly #reads = new Map<string, LedgerRead>();
  #isAvailable = true;

  constructor(spent: PrimaryServices['spent'], log: Log) {
    this.#spent = spent;
    this.#log = log;
  }

  /** @throws if the ledger does not respond within two seconds */
  async read(account: Account, span: BaselineSpan): Promise<Baseline> {
    const read = this.#readOf(account, span);
    const late = (): Error => new Error(`the ledger did not respond within ${TIMEOUT_MS} ms`);
    if (read.isLate) throw late();
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = new Timer(TIMEOUT_MS, () => {
      read.isLate = true;
      this.#noteAvailable(false, late());
      reject(late());
    });
    try {
      return await Promise.race([read.result, promise]);
    } finally {
      timer.stop();
    }
  }

  /** The ledger has found earlier spending: reads that have begun do not have it, and no later request gets them. */
  forget(): void {
    this.#reads.clear();
  }

  #readOf(account: Account, span: BaselineSpan): LedgerRead {
    const name = JSON.stringify([account, span.since, span.until]);
    const known = this.#reads.get(name);
    if (known !== undefined) return known;
    const read: LedgerRead = { result: this.#query(account, span), isLate: false };
    void this.#watch(name, read);
    this.#reads.set(name, read);
    return read;
  }

  async #query({ path, models, user, tag, share }: Account, { since, until }: BaselineSpan): Promise<Baseline> {
    const spent = await this.#spent(omitUndefined({ path, models, user, tag, since, until }));
    const amount = Math.floor(Number(spent ?? 0n) * share);
    return omitUndefined({ since, until, amount, isRecorded: spent === undefined ? false : undefined });
  }

  async #watch(name: string, read: LedgerRead): Promise<void> {
    try {
      await read.result;
      this.#noteAvailable(true);
      // A result in time has been used. A late one is kept for the next request.
      if (!read.isLate) return this.#drop(name, read);
      read.isLate = false;
    } catch (error) {
      this.#noteAvailable(false, error);
    }
    setTimeout(() => this.#drop(name, read), KEEP_MS).unref();
  }

  #drop(name: string, read: LedgerRead): void {
    if (this.#reads.get(name) === read) this.#reads.delete(name);
  }

  #noteAvailable(isAvailable: boolean, error?: unknown): void {
    if (this.#isAvailable === isAvailable) return;
    this.#isAvailable = isAvailable;
    if (isAvailable) this.#log.info({}, 'the ledger is available again: budgets include what it has recorded');
    else
      this.#log.warn(
        { error },
        'the ledger does not respond: budgets are counted without earlier spending until it does',
      );
  }
}
