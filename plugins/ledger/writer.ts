import { setTimeout as delay } from 'node:timers/promises';
import {
  GatewayError,
  type Clock,
  type EndedRequest,
  type Exchange,
  type Log,
  type Outcome,
} from '../../core/api/index.ts';
import type { Report } from './messages.ts';
import type { LedgerMeters } from './meters.ts';
import { openRow } from './open-row.ts';
import { RefusalFilter, refusedRow } from './refused-row.ts';
import { at, settledRow, type LedgerRow } from './row.ts';
import type { LedgerThread } from './thread.ts';

/** How long rows are gathered. After a write that takes longer, the next one follows at once. */
const FLUSH_MS = 100;
/** Age at which an exchange gets its open row. Most exchanges end before and are written once. */
const OPEN_ROW_MS = 250;
/** Settled rows in one message: some milliseconds to encode as JSON. */
const MAX_ROWS_PER_MESSAGE = 2_000;
/**
 * Settled rows that may wait for the thread. It accepts them within a second or two, even when the database is down.
 */
const MAX_SETTLED = 50_000;
const METER_MS = 1_000;
/** How long `close` waits for the thread to accept the remaining rows. */
const DRAIN_MS = 5_000;

/** An exchange that is not settled yet. */
export interface OpenExchange {
  readonly exchange: Exchange;
  /** Unix milliseconds. */
  readonly openedAt: number;
  /** The same on the monotonic clock. */
  readonly since: number;
}

interface WriterParts {
  readonly thread: LedgerThread;
  readonly meters: LedgerMeters;
  readonly clock: Clock;
  readonly log: Log;
  /** Rows of refused requests for each second, on average. */
  readonly refused: number;
}

const unavailable = (): GatewayError => new GatewayError('ledger_unavailable', undefined, { retryAfterMs: 1_000 });

const oldestIn = (exchanges: ReadonlySet<OpenExchange>): number =>
  exchanges.values().next().value?.openedAt ?? Infinity;

/** Gathers the rows of one process and sends them to its thread in batches. */
export class LedgerWriter {
  readonly #thread: LedgerThread;
  readonly #meters: LedgerMeters;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Open exchanges, oldest first: those whose open row was sent to the thread, and those without one. */
  readonly #written = new Set<OpenExchange>();
  readonly #unwritten = new Set<OpenExchange>();
  /** Those of `#unwritten` whose request waits until the open row is in the database. */
  readonly #persisting = new Map<OpenExchange, PromiseWithResolvers<void>>();
  #settled: LedgerRow[] = [];
  /** Admitted exchanges that have failed. */
  readonly #failed = new WeakSet<Exchange>();
  readonly #refusals: RefusalFilter;
  #flushing: Promise<void> | undefined;
  #flushTimer: NodeJS.Timeout | undefined;
  readonly #meterTimer: NodeJS.Timeout;
  /** `#settled` is full, and the log has a line about it. */
  #isFull = false;
  /** What the thread last reported. */
  #reported: Pick<Report, 'waiting' | 'waitingSince'> = { waiting: 0, waitingSince: undefined };

  constructor({ thread, meters, clock, log, refused }: WriterParts) {
    this.#refusals = new RefusalFilter(refused);
    this.#thread = thread;
    this.#meters = meters;
    this.#clock = clock;
    this.#log = log;
    this.#meterTimer = setInterval(() => this.#measure(), METER_MS).unref();
  }

  open(exchange: Exchange): OpenExchange {
    const open = { exchange, openedAt: this.#clock.now(), since: this.#clock.monotonic() };
    this.#unwritten.add(open);
    this.#scheduleFlush();
    return open;
  }

  /** Resolves when the open row is in the database. @throws GatewayError `ledger_unavailable` */
  async persist(open: OpenExchange): Promise<void> {
    try {
      // While the database is known to be down, the request fails without waiting for another attempt.
      if (this.#reported.waitingSince !== undefined) throw unavailable();
      const waiter = Promise.withResolvers<void>();
      this.#persisting.set(open, waiter);
      if (this.#persisting.size === 1 && this.#flushing === undefined) this.#flushSoon();
      await waiter.promise;
    } catch (error) {
      this.#remove(open);
      this.#persisting.delete(open);
      throw error;
    }
  }

  settle(open: OpenExchange, outcome: Outcome): void {
    this.#remove(open);
    if (outcome.status >= 400) this.#failed.add(open.exchange);
    if (this.#settled.length >= MAX_SETTLED) return this.#lose();
    this.#isFull = false;
    this.#settled.push(settledRow(open.exchange, outcome, open.openedAt, this.#clock.now()));
    this.#scheduleFlush();
  }

  /** Writes a row of a request that has failed, unless it was admitted and has one. */
  refuse(ended: EndedRequest): void {
    if (ended.exchange !== undefined && this.#failed.has(ended.exchange)) return;
    if (!this.#refusals.accepts(ended, this.#clock.monotonic())) return;
    if (this.#settled.length >= MAX_SETTLED) return this.#lose();
    this.#settled.push(refusedRow(ended, this.#clock.now()));
    this.#scheduleFlush();
  }

  #lose(): void {
    this.#meters.lost(1);
    if (!this.#isFull)
      this.#log.error({ waiting: this.#settled.length }, 'the ledger thread does not accept rows; new rows are lost');
    this.#isFull = true;
    this.#scheduleFlush();
  }

  onReport(report: Report): void {
    this.#reported = report;
    this.#meters.report(report);
  }

  /** Resolves when every row is in the database or in the spool, or after a deadline. */
  async close(): Promise<void> {
    clearInterval(this.#meterTimer);
    await Promise.race([this.#drain(), delay(DRAIN_MS, undefined, { ref: false })]);
    if (this.#settled.length > 0)
      this.#log.error(
        { rows: this.#settled.length },
        'the ledger thread did not accept the last rows in time; they are lost',
      );
    await this.#thread.close();
    this.#measure();
  }

  #remove(open: OpenExchange): void {
    if (!this.#unwritten.delete(open)) this.#written.delete(open);
  }

  #scheduleFlush(): void {
    if (this.#flushTimer !== undefined || this.#flushing !== undefined) return;
    if (this.#settled.length + this.#unwritten.size === 0) return;
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined;
      this.#startFlush();
    }, FLUSH_MS);
  }

  #flushSoon(): void {
    setImmediate(() => this.#startFlush());
  }

  /** @param openedBefore on the monotonic clock: younger exchanges do not get an open row yet */
  #startFlush(openedBefore = this.#clock.monotonic() - OPEN_ROW_MS): void {
    if (this.#flushing !== undefined) return;
    const startedAt = this.#clock.monotonic();
    this.#flushing = this.#flush(openedBefore).finally(() => {
      this.#flushing = undefined;
      if (this.#persisting.size > 0 || this.#clock.monotonic() - startedAt > FLUSH_MS) this.#flushSoon();
      else this.#scheduleFlush();
    });
  }

  async #flush(openedBefore: number): Promise<void> {
    const rows = this.#takeRows(openedBefore);
    if (rows.length === 0) return;
    const waiters = [...this.#persisting.values()];
    this.#persisting.clear();
    const isWritten = await this.#thread.write(JSON.stringify(rows));
    for (const { resolve, reject } of waiters)
      if (isWritten) resolve();
      else reject(unavailable());
  }

  /** The rows of the next message: settled rows in the order they were settled, then open rows. */
  #takeRows(openedBefore: number): LedgerRow[] {
    const rows = this.#settled.slice(0, MAX_ROWS_PER_MESSAGE);
    this.#settled = this.#settled.slice(MAX_ROWS_PER_MESSAGE);
    for (const open of this.#unwritten) {
      if (open.since > openedBefore && !this.#persisting.has(open)) break;
      rows.push(openRow(open.exchange, open.openedAt));
      this.#unwritten.delete(open);
      this.#written.add(open);
    }
    return rows;
  }

  async #drain(): Promise<void> {
    await this.#flushing;
    if (this.#settled.length + this.#unwritten.size === 0) return;
    this.#startFlush(Infinity);
    await this.#drain();
  }

  #measure(): void {
    const { waiting, waitingSince } = this.#reported;
    this.#meters.queueDepth(waiting + this.#settled.length + this.#unwritten.size);
    const oldest = Math.min(
      waitingSince ?? Infinity,
      oldestIn(this.#written),
      oldestIn(this.#unwritten),
      this.#settled[0]?.[at.opened_at] ?? Infinity,
    );
    this.#meters.oldestUnsettled(oldest === Infinity ? 0 : Math.max(0, this.#clock.now() - oldest) / 1_000);
  }
}
