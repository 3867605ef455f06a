import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, type Clock, type Exchange, type Log, type Outcome } from '../../core/index.ts';
import type { Report } from './messages.ts';
import type { LedgerMeters } from './meters.ts';
import { at, openRow, settledRow, type LedgerRow } from './row.ts';
import type { LedgerThread } from './thread.ts';

/** Rows are gathered for so long. Where a write takes longer, the next follows at once. */
const FLUSH_MS = 100;
/** An exchange that is open for so long has its opening written. Most end before, and are written once. */
const OPENING_MS = 250;
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
  /** The same by the clock that never goes back. */
  readonly since: number;
}

/** Hands the rows of one process to its thread, many at once. */
export interface LedgerWriter {
  open(exchange: Exchange): Opening;
  /** Resolves when the opening is in the database. @throws GatewayError `ledger_unavailable` */
  secure(opening: Opening): Promise<void>;
  settle(opening: Opening, outcome: Outcome): void;
  readonly ask: LedgerThread['ask'];
  readonly keepHouse: LedgerThread['keepHouse'];
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

export interface ReportedWriter extends LedgerWriter {
  onReport(report: Report): void;
}

export function createWriter({ thread, meters, clock, log }: WriterParts): ReportedWriter {
  /** What is open, the oldest first: those whose opening the thread has, and those that it does not know yet. */
  const written = new Set<Opening>();
  const young = new Set<Opening>();
  /** Of the young: those whose requests wait until their opening is written. */
  const secured = new Map<Opening, PromiseWithResolvers<void>>();
  let settled: LedgerRow[] = [];
  let flushing: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let isOverfull = false;
  let waiting: Pick<Report, 'waiting' | 'waitingSince'> = { waiting: 0, waitingSince: undefined };

  /**
   * What is to be written now: settled rows in the order of their ends, then openings.
   * @param youngest by the clock that never goes back
   */
  const takeRows = (youngest: number): LedgerRow[] => {
    const rows = settled.slice(0, MESSAGE);
    settled = settled.slice(MESSAGE);
    for (const opening of young) {
      if (opening.since > youngest && !secured.has(opening)) break;
      rows.push(openRow(opening.exchange, opening.openedAt));
      young.delete(opening);
      written.add(opening);
    }
    return rows;
  };
  const flush = async (youngest: number): Promise<void> => {
    const rows = takeRows(youngest);
    if (rows.length === 0) return;
    const waiters = [...secured.values()];
    secured.clear();
    const isWritten = await thread.write(JSON.stringify(rows));
    for (const { resolve, reject } of waiters)
      if (isWritten) resolve();
      else reject(unavailable());
  };
  const begin = (youngest = clock.monotonic() - OPENING_MS): void => {
    if (flushing !== undefined) return;
    const since = clock.monotonic();
    flushing = flush(youngest).finally(() => {
      flushing = undefined;
      if (secured.size > 0 || clock.monotonic() - since > FLUSH_MS) beginSoon();
      else schedule();
    });
  };
  const beginSoon = (): void => void setImmediate(begin);
  const schedule = (): void => {
    if (gathering !== undefined || flushing !== undefined || settled.length + young.size === 0) return;
    gathering = setTimeout(() => {
      gathering = undefined;
      begin();
    }, FLUSH_MS);
  };

  const drain = async (): Promise<void> => {
    await flushing;
    if (settled.length + young.size === 0) return;
    begin(Infinity);
    await drain();
  };

  const forget = (opening: Opening): void => void (young.delete(opening) || written.delete(opening));

  const measure = (): void => {
    meters.depth(waiting.waiting + settled.length + young.size);
    const oldestOf = (openings: ReadonlySet<Opening>): number => openings.values().next().value?.openedAt ?? Infinity;
    const unsettled = Math.min(oldestOf(written), oldestOf(young));
    const oldest = Math.min(waiting.waitingSince ?? Infinity, unsettled, settled[0]?.[at.opened_at] ?? Infinity);
    meters.oldest(oldest === Infinity ? 0 : Math.max(0, clock.now() - oldest) / 1_000);
  };
  const measuring = setInterval(measure, METER_MS).unref();

  return {
    open: (exchange) => {
      const opening = { exchange, openedAt: clock.now(), since: clock.monotonic() };
      young.add(opening);
      schedule();
      return opening;
    },
    secure: async (opening) => {
      try {
        // While it is known to be down, nobody waits for its next failure.
        if (waiting.waitingSince !== undefined) throw unavailable();
        const waiter = Promise.withResolvers<void>();
        secured.set(opening, waiter);
        if (secured.size === 1 && flushing === undefined) beginSoon();
        await waiter.promise;
      } catch (error) {
        forget(opening);
        secured.delete(opening);
        throw error;
      }
    },
    settle: (opening, outcome) => {
      forget(opening);
      const hasRoom = settled.length < MOST_WAITING;
      if (hasRoom) settled.push(settledRow(opening.exchange, outcome, opening.openedAt, clock.now()));
      else meters.lost(1);
      if (!hasRoom && !isOverfull) {
        const text = 'the thread of the ledger does not take rows: they are lost from now on';
        log.error({ waiting: settled.length }, text);
      }
      isOverfull = !hasRoom;
      schedule();
    },
    onReport: (report) => {
      waiting = report;
      meters.report(report);
    },
    ask: thread.ask,
    keepHouse: thread.keepHouse,
    close: async () => {
      clearInterval(measuring);
      await Promise.race([drain(), delay(DRAIN_MS, undefined, { ref: false })]);
      if (settled.length > 0) {
        const text = 'the thread of the ledger did not take the last rows in time: they are lost';
        log.error({ rows: settled.length }, text);
      }
      await thread.close();
      measure();
    },
  };
}
