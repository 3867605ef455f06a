import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, EndedRequest, Exchange, Log, Outcome } from '../../core/api/index.ts';
import type { Report } from './messages.ts';
import type { LedgerMeters } from './meters.ts';
import { answer, OpenExchanges, unavailable, type OpenExchange } from './open-exchanges.ts';
import { openRow } from './open-row.ts';
import { RefusalFilter, refusedRow } from './refused-row.ts';
import { at, settledRow, type LedgerRow } from './row.ts';
import type { Segment } from './spool/segment.ts';
import type { Spool } from './spool/spool.ts';
import type { LedgerThread } from './thread.ts';

/** How long rows are gathered. After a write that takes longer, the next one follows at once. */
const FLUSH_MS = 100;
/** Age at which an exchange gets its open row. Most exchanges end before and are written once. */
const OPEN_ROW_MS = 250;
const METER_MS = 1_000;
/** How long `close` waits for the thread to write the remaining rows. */
const DRAIN_MS = 5_000;

interface WriterParts {
  readonly thread: Pick<LedgerThread, 'write' | 'close'>;
  readonly spool: Spool;
  /** When the spool is full: whether requests are refused, or served without a row. */
  readonly onFull: 'refuse' | 'allow';
  readonly meters: LedgerMeters;
  readonly clock: Clock;
  readonly log: Log;
  /** Rows of refused requests for each second, on average. */
  readonly refused: number;
}

/**
 * Takes the rows of one process. A settled row is in the spool at the end of the turn of the event loop in which it was
 * settled, and the thread writes it to the database some 100 ms later.
 */
export class LedgerWriter {
  readonly #parts: WriterParts;
  readonly #open = new OpenExchanges();
  /** Rows of this turn of the event loop, as JSON. */
  #turn: string[] = [];
  /** When the first exchange of this turn began, in unix milliseconds. */
  #turnSince = Infinity;
  /** Run in an immediate: the responses of this turn end in later ones. */
  readonly #endTurn = (): void => this.#keepTurn();
  /** Admitted exchanges that have failed. */
  readonly #failed = new WeakSet<Exchange>();
  readonly #refusals: RefusalFilter;
  #flushing: Promise<boolean> | undefined;
  #flushTimer: NodeJS.Timeout | undefined;
  readonly #meterTimer: NodeJS.Timeout;
  #isClosed = false;
  /** Rows are lost, and the log has a line about it. */
  #isLosing = false;
  /** When the database went down, by the last report of the thread. */
  #downSince: number | undefined;
  /** When the database went down of whose outage rows still wait. */
  #behindSince: number | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#refusals = new RefusalFilter(parts.refused);
    this.#meterTimer = setInterval(() => this.#measure(), METER_MS).unref();
  }

  /** @throws GatewayError `ledger_unavailable` when the spool is full and such requests are refused */
  open(exchange: Exchange): OpenExchange {
    const { clock, spool, onFull } = this.#parts;
    if (onFull === 'refuse' && spool.isFull) throw unavailable();
    const open = { exchange, openedAt: clock.now(), since: clock.monotonic() };
    this.#open.add(open);
    this.#scheduleFlush();
    return open;
  }

  /** Resolves when the open row is in the database. @throws GatewayError `ledger_unavailable` */
  async persist(open: OpenExchange): Promise<void> {
    try {
      // While the database is known to be down, the request fails without waiting for another attempt.
      if (this.#downSince !== undefined) throw unavailable();
      const persisted = this.#open.persist(open);
      if (this.#open.persisting === 1 && this.#flushing === undefined) this.#flushSoon();
      await persisted;
    } catch (error) {
      this.#open.remove(open);
      throw error;
    }
  }

  settle(open: OpenExchange, outcome: Outcome): void {
    this.#open.remove(open);
    if (outcome.status >= 400) this.#failed.add(open.exchange);
    this.#add(settledRow(open.exchange, outcome, open.openedAt, outcome.endedAt));
  }

  /** The response continues after its request: its open row is written with the settled rows of this turn. */
  leave(open: OpenExchange): void {
    this.#open.remove(open);
    this.#add(openRow(open.exchange, open.openedAt));
  }

  /** Writes a row of a request that has failed, unless it was admitted and has one. */
  refuse(ended: EndedRequest): void {
    if (ended.exchange !== undefined && this.#failed.has(ended.exchange)) return;
    const { clock } = this.#parts;
    if (this.#refusals.accepts(ended, clock.monotonic())) this.#add(refusedRow(ended, clock.now()));
  }

  onReport(report: Report): void {
    this.#parts.meters.report(report);
    const wasDown = this.#downSince !== undefined;
    this.#downSince = report.downSince;
    this.#behindSince ??= report.downSince;
    if (!wasDown || report.downSince !== undefined) return;
    // What waits is in sealed segments: when these are written, the ledger is up to date.
    this.#parts.spool.seal();
    this.#flushSoon();
  }

  /** Resolves when every row is in the database or in the spool, or after a deadline. */
  async close(): Promise<void> {
    const { spool, thread, log } = this.#parts;
    clearInterval(this.#meterTimer);
    this.#keepTurn();
    await Promise.race([this.#drain(), delay(DRAIN_MS, undefined, { ref: false })]);
    this.#isClosed = true;
    clearTimeout(this.#flushTimer);
    for (const { exchange, openedAt } of this.#open.unwritten)
      spool.append([JSON.stringify(openRow(exchange, openedAt))], openedAt, true);
    const lost = spool.close();
    if (lost > 0) log.error({ rows: lost }, 'the last rows of the ledger are in no file; they are lost');
    await thread.close();
    this.#measure();
  }

  #add(row: LedgerRow): void {
    if (this.#turn.length === 0) setImmediate(this.#endTurn);
    this.#turn.push(JSON.stringify(row));
    this.#turnSince = Math.min(this.#turnSince, row[at.opened_at]);
    this.#scheduleFlush();
  }

  /** Hands the rows of this turn to the operating system. */
  #keepTurn(): void {
    const { meters, onFull, spool, log } = this.#parts;
    const [rows, since] = [this.#turn, this.#turnSince];
    if (rows.length === 0) return;
    [this.#turn, this.#turnSince] = [[], Infinity];
    // Exchanges that were admitted before are not lost where others are refused.
    const isLost = onFull === 'allow' && spool.isFull;
    if (isLost) meters.lost(rows.length);
    else spool.append(rows, since, this.#downSince !== undefined);
    if (isLost && !this.#isLosing)
      log.error({ waiting: spool.rows }, 'the spool of the ledger is full; new rows are lost');
    this.#isLosing = isLost;
    if (this.#downSince !== undefined && !isLost) meters.spooled(rows.length);
  }

  get #hasWork(): boolean {
    return this.#turn.length + this.#parts.spool.rows + this.#open.unwritten.size > 0;
  }

  #scheduleFlush(): void {
    if (this.#flushTimer !== undefined || this.#flushing !== undefined || !this.#hasWork) return;
    // The report that it is back flushes.
    if (this.#downSince !== undefined || this.#isClosed) return;
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined;
      this.#startFlush();
    }, FLUSH_MS);
  }

  #flushSoon(): void {
    if (!this.#isClosed) setImmediate(() => this.#startFlush());
  }

  /** @param openedBefore on the monotonic clock: younger exchanges do not get an open row yet */
  #startFlush(openedBefore = this.#parts.clock.monotonic() - OPEN_ROW_MS): void {
    if (this.#flushing !== undefined) return;
    const { clock, spool } = this.#parts;
    const startedAt = clock.monotonic();
    this.#flushing = this.#flush(openedBefore).then((isWritten) => {
      this.#flushing = undefined;
      const isLate = isWritten && (clock.monotonic() - startedAt > FLUSH_MS || spool.isBehind);
      if (this.#open.persisting > 0 || isLate) this.#flushSoon();
      else this.#scheduleFlush();
      return isWritten;
    });
  }

  /** @returns false if rows could not be written; they stay where they are */
  async #flush(openedBefore: number): Promise<boolean> {
    const { spool, thread } = this.#parts;
    if (this.#downSince !== undefined) {
      answer(this.#open.takeWaiters(), false);
      return false;
    }
    this.#keepTurn();
    const segment = spool.next();
    const { opens, waiters } = this.#open.take(openedBefore);
    if (segment === undefined && opens.length === 0) return true;
    const { rows, file } = segment?.content ?? { rows: [], file: undefined };
    const texts = [...rows, ...opens.map(({ exchange, openedAt }) => JSON.stringify(openRow(exchange, openedAt)))];
    const isWritten = await thread.write({ text: `[${texts.join()}]`, file });
    if (segment !== undefined) this.#conclude(segment, isWritten);
    if (!isWritten) this.#open.giveBack(opens);
    answer(waiters, isWritten);
    return isWritten;
  }

  #conclude(segment: Segment, isWritten: boolean): void {
    const { spool, meters, log } = this.#parts;
    if (!isWritten) return meters.spooled(spool.keep(segment));
    spool.remove(segment);
    if (this.#behindSince === undefined || this.#downSince !== undefined || spool.isBehind) return;
    const seconds = (this.#parts.clock.now() - this.#behindSince) / 1_000;
    this.#behindSince = undefined;
    log.info({ seconds }, 'the ledger is written again, including all rows that waited');
  }

  async #drain(): Promise<void> {
    await this.#flushing;
    if (!this.#hasWork) return;
    this.#startFlush(Infinity);
    if (await this.#flushing) await this.#drain();
  }

  #measure(): void {
    const { meters, spool, clock } = this.#parts;
    meters.queueDepth(this.#turn.length + spool.rows + this.#open.unwritten.size);
    meters.spoolBytes(spool.bytes);
    const oldest = Math.min(this.#turnSince, spool.since, this.#open.oldest);
    meters.oldestUnsettled(oldest === Infinity ? 0 : Math.max(0, clock.now() - oldest) / 1_000);
  }
}
