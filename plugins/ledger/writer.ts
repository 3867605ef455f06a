import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, type Clock, type Exchange, type Log, type Outcome } from '../../core/index.ts';
import type { Report } from './messages.ts';
import type { LedgerMeters } from './meters.ts';
import { openRow, settledRow, type LedgerRow } from './row.ts';
import type { LedgerThread } from './thread.ts';

/** Rows are gathered for so long: what is opened and settled meanwhile is written once. Where a write takes longer, the next follows at once. */
const FLUSH_MS = 20;
/** Rows of one message: some milliseconds to write as JSON. */
const MESSAGE = 2_000;
/** Rows that may wait for the thread. It takes them within a second or two, whatever the database does. */
const MOST_WAITING = 50_000;
const METER_MS = 1_000;
/** How long the end of the process waits for the thread to take what is left. */
const DRAIN_MS = 5_000;

/** An exchange that is not settled yet. */
export interface Opening {
  readonly exchange: Exchange;
  /** Unix milliseconds. */
  readonly openedAt: number;
}

/** Hands the rows of one process to its thread, many at once. */
export interface LedgerWriter {
  open(exchange: Exchange): Opening;
  /** Resolves when the opening is in the database. @throws GatewayError `ledger_unavailable` */
  secure(opening: Opening): Promise<void>;
  settle(opening: Opening, outcome: Outcome): void;
  readonly ask: LedgerThread['ask'];
  /** Everything is in the database or in the spool then. */
  close(): Promise<void>;
}

interface WriterParts {
  readonly thread: LedgerThread;
  readonly meters: LedgerMeters;
  readonly clock: Clock;
  readonly log: Log;
}

const unavailable = (): GatewayError => new GatewayError('ledger_unavailable', undefined, { retryAfterMs: 1_000 });

export const createWriter = ({ thread, meters, clock, log }: WriterParts): LedgerWriter & { heard(report: Report): void } => {
  const open = new Set<Opening>();
  /** Of those: the ones that the thread does not know, and who waits for it to do so. */
  const fresh = new Map<Opening, PromiseWithResolvers<void> | undefined>();
  const settled: LedgerRow[] = [];
  let flushing: Promise<void> | undefined;
  let isScheduled = false;
  let isOverfull = false;
  let waiting: Pick<Report, 'waiting' | 'waitingSince'> = { waiting: 0, waitingSince: undefined };

  const flush = async (): Promise<void> => {
    const rows = settled.splice(0, MESSAGE);
    const secured: PromiseWithResolvers<void>[] = [];
    for (const [{ exchange, openedAt }, waiter] of fresh) {
      rows.push(openRow(exchange, openedAt));
      if (waiter !== undefined) secured.push(waiter);
    }
    fresh.clear();
    const isWritten = await thread.write(JSON.stringify(rows));
    for (const { resolve, reject } of secured) if (isWritten) resolve(); else reject(unavailable());
  };
  const begin = (): void => {
    isScheduled = false;
    if (flushing !== undefined || settled.length + fresh.size === 0) return;
    const since = clock.monotonic();
    flushing = flush().finally(() => {
      flushing = undefined;
      schedule(clock.monotonic() - since < FLUSH_MS ? FLUSH_MS : 0);
    });
  };
  const schedule = (ms: number): void => {
    if (isScheduled || flushing !== undefined || settled.length + fresh.size === 0) return;
    isScheduled = true;
    if (ms === 0) setImmediate(begin);
    else setTimeout(begin, ms);
  };

  const drain = async (): Promise<void> => {
    begin();
    if (flushing === undefined) return;
    await flushing;
    await drain();
  };

  const measure = (): void => {
    meters.depth(waiting.waiting + settled.length + fresh.size);
    const oldest = Math.min(waiting.waitingSince ?? Infinity, open.values().next().value?.openedAt ?? Infinity, settled[0]?.opened_at ?? Infinity);
    meters.oldest(oldest === Infinity ? 0 : Math.max(0, clock.now() - oldest) / 1_000);
  };
  const measuring = setInterval(measure, METER_MS).unref();

  return {
    open: (exchange) => {
      const opening = { exchange, openedAt: clock.now() };
      open.add(opening);
      fresh.set(opening, undefined);
      schedule(FLUSH_MS);
      return opening;
    },
    secure: async (opening) => {
      try {
        // While it is known to be down, nobody waits for its next failure.
        if (waiting.waitingSince !== undefined) throw unavailable();
        const waiter = Promise.withResolvers<void>();
        fresh.set(opening, waiter);
        schedule(0);
        await waiter.promise;
      } catch (error) {
        open.delete(opening);
        fresh.delete(opening);
        throw error;
      }
    },
    settle: (opening, outcome) => {
      open.delete(opening);
      fresh.delete(opening);
      const hasRoom = settled.length < MOST_WAITING;
      if (hasRoom) settled.push(settledRow(opening.exchange, outcome, opening.openedAt, clock.now()));
      else meters.lost(1);
      if (!hasRoom && !isOverfull) log.error({ waiting: settled.length }, 'the thread of the ledger does not take rows: they are lost from now on');
      isOverfull = !hasRoom;
      schedule(FLUSH_MS);
    },
    heard: (report) => {
      waiting = report;
      meters.report(report);
    },
    ask: thread.ask,
    close: async () => {
      clearInterval(measuring);
      await Promise.race([drain(), delay(DRAIN_MS, undefined, { ref: false })]);
      if (settled.length > 0) log.error({ rows: settled.length }, 'the thread of the ledger did not take the last rows in time: they are lost');
      await thread.close();
      measure();
    },
  };
};
