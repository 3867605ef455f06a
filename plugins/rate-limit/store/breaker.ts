import { setImmediate as afterRow } from 'node:timers/promises';
import type { Clock, Log } from '../../../core/api/index.ts';
import type { KnownSpending } from '../admission/charges.ts';
import type { Meters, StoreOperation } from '../meters.ts';
import { PendingSettlements } from './pending-settlements.ts';
import { kindOfFailure } from './store-failure.ts';
import { tryWrite } from './try-write.ts';
import type { BucketState, Charge, Debits, Decision, ReserveRequest, SharedStore, Spent } from './store.ts';

const PROBE_MS = 200;
/** This many calls in a row must fail before the breaker opens: one late response is not an outage. */
const MAX_FAILURES = 5;
/** The most that the first connection can take, in steps. */
const [CONNECT_MS, CONNECT_STEP_MS] = [500, 20];
/** Losses that are found within this time count as one fault: after each, every budget is read from the ledger. */
const FAULT_MS = 1_000;

export interface BreakerParts {
  readonly store: SharedStore;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly known: Pick<KnownSpending, 'noteFault'>;
  ping(): Promise<void>;
  readonly meters: Pick<Meters, 'storeError' | 'degraded'>;
  readonly log: Log;
  /** Milliseconds between two probes. */
  readonly probeEvery?: number;
}

/**
 * The shared store behind a circuit breaker. Five failures in a row open it; a reservation or settlement that succeeds
 * resets the count. While it is closed, each request waits for its response. While it is open, none waits, and
 * settlements are queued. The first successful probe sends them, before any new reservation, and closes it. After a
 * fault the store can have lost counts: `sinceFaultMs` of a reservation makes it read budgets from the ledger.
 * Settlements are sent in an immediate: after that of the row, so that no kill of a process leaves a budget above the
 * ledger, and before the last byte of the response, so that the client can use what is given back.
 */
export class Breaker implements SharedStore {
  readonly #parts: BreakerParts;
  readonly #pending: PendingSettlements;
  #isOpen = false;
  #isClosed = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the last fault was over, on the monotonic clock. */
  #faultAt: number | undefined;
  #faultTimer: NodeJS.Timeout | undefined;
  /** Since the last successful probe, a call has failed for another reason than a late response. */
  #hasFailed = false;

  constructor(parts: BreakerParts) {
    this.#parts = parts;
    this.#pending = new PendingSettlements(10_000, () => parts.meters.storeError('settle', 'dropped'));
    parts.meters.degraded(false);
  }

  /** true: the breaker is open, and the store is not called until a probe has succeeded. */
  get open(): boolean {
    return this.#isOpen;
  }

  /** When the last fault was over, in monotonic milliseconds; undefined: there was none. */
  get faultedAt(): number | undefined {
    return this.#faultAt;
  }

  /** Milliseconds since the last fault was over; undefined: there was none. */
  get sinceFaultMs(): number | undefined {
    return this.#faultAt === undefined ? undefined : Math.round(this.#parts.clock.monotonic() - this.#faultAt);
  }

  /** A fault is over, in which the store may have lost counts. */
  noteFault(): void {
    this.#faultAt = this.#parts.clock.monotonic();
    this.#parts.known.noteFault();
    clearTimeout(this.#faultTimer);
    this.#faultTimer = undefined;
  }

  /** The store has lost a reservation. Those that were lost together are found one after another. */
  noteLoss(): void {
    const left = FAULT_MS - (this.sinceFaultMs ?? FAULT_MS);
    if (left <= 0) this.noteFault();
    else if (!this.#isClosed) this.#faultTimer ??= setTimeout(() => this.noteFault(), left).unref();
  }

  async reserve(request: ReserveRequest): Promise<Decision> {
    try {
      const decision = await this.#parts.store.reserve(request);
      this.#failures = 0;
      return decision;
    } catch (error) {
      this.#fail('reserve', error);
      // The store can have executed it nevertheless, and nothing else would settle it.
      const { tenant, id, charges } = request;
      this.#pending.add({ tenant, id, actual: charges.map(() => 0) });
      throw error;
    }
  }

  /** Settles after the row is written, or queues the settlement until the store responds again. Never rejects. */
  async settle(
    tenant: string,
    id: string,
    actual: readonly number[],
    endedAt?: number,
  ): Promise<readonly Spent[] | undefined> {
    const isSent = !this.#isOpen;
    try {
      if (isSent) {
        await afterRow();
        const spent = await this.#parts.store.settle(tenant, id, actual, endedAt);
        this.#failures = 0;
        // It has lost the reservation, and what else it has lost is not known.
        if (spent === undefined) this.noteLoss();
        return spent;
      }
    } catch (error) {
      this.#failSettlement('settle', error);
    }
    this.#pending.add({ tenant, id, actual, endedAt, isSent });
    this.#schedule();
    return undefined;
  }

  /** Counts after the row is written, or queues the debits until the store responds again. Never rejects. */
  async debit(tenant: string, id: string, debits: Debits): Promise<void> {
    try {
      if (!this.#isOpen) {
        await afterRow();
        return await this.#parts.store.debit(tenant, id, debits);
      }
    } catch (error) {
      this.#failSettlement('debit', error);
    }
    this.#pending.add({ tenant, id, debits });
    this.#schedule();
  }

  /** Counts what an exchange has cost if its reservation is lost: now, or when its settlement has been sent. */
  debitIfLost(tenant: string, id: string, debits: Debits): void {
    if (!this.#pending.addDebits(id, debits)) void this.debit(tenant, id, debits);
  }

  async renew(tenant: string, charges: readonly Charge[]): Promise<void> {
    await this.#watch('renew', () => this.#parts.store.renew(tenant, charges));
  }

  async refresh(tenant: string, ids: readonly string[], leaseMs: number): Promise<void> {
    if (this.#isOpen) throw new Error('Redis is not available: leases are not refreshed until a probe has succeeded.');
    await this.#watch('refresh', () => this.#parts.store.refresh(tenant, ids, leaseMs));
  }

  /** Another call of the store. @throws what it throws, or if the breaker is open */
  async run<T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw new Error('Redis is not available: nothing is sent until a probe has succeeded.');
    try {
      const result = await call();
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#fail(operation, error);
      throw error;
    }
  }

  async peek(tenant: string, charges: readonly Charge[]): Promise<readonly BucketState[]> {
    return this.#watch('peek', () => this.#parts.store.peek(tenant, charges));
  }

  /** A failure counts; a success does not reset the count. @throws what the store throws */
  async #watch<T>(operation: StoreOperation, call: () => T | Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      this.#fail(operation, error);
      throw error;
    }
  }

  /** Checks whether the store takes reservations again. Called by a timer after a failure. */
  async probe(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { store, ping, meters, log } = this.#parts;
    try {
      await ping();
      await tryWrite(store);
      // A settlement that is added while the flush ends would otherwise wait for the next outage.
      do await this.#pending.flush(store);
      while (this.#pending.size > 0);
      this.#failures = 0;
      if (this.#isOpen || this.#hasFailed) this.noteFault();
      this.#hasFailed = false;
      if (!this.#isOpen) return;
      this.#isOpen = false;
      meters.degraded(false);
      log.info({}, 'Redis is available again, and counts the limits');
    } catch (error) {
      this.#fail('probe', error);
    }
  }

  /** Waits a short time for the first connection. */
  async connect(): Promise<void> {
    for (let waited = 0; ; waited += CONNECT_STEP_MS) {
      try {
        return await this.#parts.ping();
      } catch (error) {
        if (waited >= CONNECT_MS) return this.#fail('probe', error, 1);
        await new Promise((resolve) => setTimeout(resolve, CONNECT_STEP_MS));
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#faultTimer);
  }

  /** No request waits for a settlement, and it is sent again: a late response alone does not count as a failure. */
  #failSettlement(operation: 'settle' | 'debit', error: unknown): void {
    if (kindOfFailure(error) === 'timeout') this.#parts.meters.storeError(operation, 'timeout');
    else this.#fail(operation, error);
  }

  #schedule(): void {
    const { probeEvery = PROBE_MS } = this.#parts;
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.probe(), probeEvery).unref();
  }

  #fail(operation: StoreOperation, error: unknown, maxFailures = MAX_FAILURES): void {
    const { meters, log } = this.#parts;
    const kind = kindOfFailure(error);
    meters.storeError(operation, kind);
    this.#hasFailed ||= kind !== 'timeout';
    this.#failures += 1;
    this.#schedule();
    if (this.#isOpen || this.#failures < maxFailures) return;
    this.#isOpen = true;
    meters.degraded(true);
    log.warn({ error, operation, kind }, 'Redis is not available for limits: onStoreFailure applies until it is');
  }
}
