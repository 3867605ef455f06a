import { GatewayError, type Exchange } from '../../core/api/index.ts';

/** An exchange that is not settled yet. */
export interface OpenExchange {
  readonly exchange: Exchange;
  /** Unix milliseconds. */
  readonly openedAt: number;
  /** The same on the monotonic clock. */
  readonly since: number;
}

/** Requests that wait until their open rows are in the database. */
export type Waiters = readonly PromiseWithResolvers<void>[];

export const unavailable = (): GatewayError =>
  new GatewayError('ledger_unavailable', undefined, { retryAfterMs: 1_000 });

const oldestIn = (exchanges: ReadonlySet<OpenExchange>): number =>
  exchanges.values().next().value?.openedAt ?? Infinity;

/** The exchanges of one process that are not settled, and their open rows. */
export class OpenExchanges {
  /** Oldest first: those whose open row was sent to the thread, and those without one. */
  readonly #written = new Set<OpenExchange>();
  readonly #unwritten = new Set<OpenExchange>();
  /** Those of `#unwritten` whose request waits until the open row is in the database. */
  readonly #persisting = new Map<OpenExchange, PromiseWithResolvers<void>>();

  add(open: OpenExchange): void {
    this.#unwritten.add(open);
  }

  remove(open: OpenExchange): void {
    if (!this.#unwritten.delete(open)) this.#written.delete(open);
    this.#persisting.delete(open);
  }

  /** Resolves when the open row is in the database. @throws GatewayError `ledger_unavailable` */
  persist(open: OpenExchange): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#persisting.set(open, waiter);
    return waiter.promise;
  }

  /** How many requests wait for their open rows. */
  get persisting(): number {
    return this.#persisting.size;
  }

  /** Those whose open row is not in the database. */
  get unwritten(): ReadonlySet<OpenExchange> {
    return this.#unwritten;
  }

  /** When the oldest began, in unix milliseconds; Infinity for none. */
  get oldest(): number {
    return Math.min(oldestIn(this.#written), oldestIn(this.#unwritten));
  }

  /**
   * Takes those whose open row is written next.
   * @param before on the monotonic clock: younger ones are taken only if their requests wait
   */
  take(before: number): { readonly opens: readonly OpenExchange[]; readonly waiters: Waiters } {
    const opens: OpenExchange[] = [];
    for (const open of this.#unwritten) {
      if (open.since > before && !this.#persisting.has(open)) break;
      opens.push(open);
      this.#unwritten.delete(open);
      this.#written.add(open);
    }
    return { opens, waiters: this.takeWaiters() };
  }

  takeWaiters(): Waiters {
    const waiters = [...this.#persisting.values()];
    this.#persisting.clear();
    return waiters;
  }

  /** Their rows could not be written: they are written when the database is back, if they are still open then. */
  giveBack(opens: readonly OpenExchange[]): void {
    const younger = [...this.#unwritten];
    this.#unwritten.clear();
    for (const open of opens) if (this.#written.delete(open)) this.#unwritten.add(open);
    for (const open of younger) this.#unwritten.add(open);
  }
}

export const answer = (waiters: Waiters, isWritten: boolean): void => {
  for (const { resolve, reject } of waiters)
    if (isWritten) resolve();
    else reject(unavailable());
};
