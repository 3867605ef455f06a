import type { Clock, Log } from '../contracts/services.ts';
import { setBounded } from './bounded-map.ts';

/** A source of keys, and how long its word holds. */
export interface KeyCacheOptions<Question, Found> {
  /**
   * Asks the source. undefined: there is no such key. Rejects where the source cannot be asked; within a time limit of
   * its own.
   */
  find(question: Question): Found | undefined | Promise<Found | undefined>;
  /** false: this is no key whatever the source says, so that it is not asked. */
  isPossible?(question: Question): boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told once when the source fails, and once when it answers again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
  /** Milliseconds in which an answer is not asked for again: a revocation is felt within this time. */
  readonly freshMs: number;
  /**
   * Milliseconds since the source last confirmed a key in which the key goes on while the source fails. 0: not at all.
   */
  readonly graceMs: number;
  /** Keys that are remembered; of those that do not exist as many again. */
  readonly capacity?: number;
  /** The source as the log names it, in the plural: `The keys in the database`. */
  readonly describe: string;
}

export interface KeyCache<Question, Found> {
  /**
   * At once where the answer is fresh in memory. Rejects with what the source threw where the key is not known, or not
   * confirmed for too long.
   * @param id tells keys apart: the digest of the whole key, never its text
   */
  find(id: string, question: Question): Found | undefined | Promise<Found | undefined>;
}

interface Known<Found> {
  readonly found: Found;
  /** When the source was asked that last said so. */
  readonly confirmedAt: number;
  /** When it was last asked, with or without an answer. */
  readonly askedAt: number;
}

/**
 * A source of keys behind a short memory. Found and missed keys are kept apart, so that a flood of wrong keys displaces
 * no good one. Callers of one key share one question. While the source fails, a key that it confirmed lately goes on;
 * one that it denied does not come back.
 */
export function createKeyCache<Question, Found>(options: KeyCacheOptions<Question, Found>): KeyCache<Question, Found> {
  const { clock, log, freshMs, graceMs, capacity = 10_000, describe } = options;
  const known = new Map<string, Known<Found>>();
  const missed = new Map<string, number>();
  const pending = new Map<string, Promise<Found | undefined>>();
  let failing = false;

  const noteFailing = (now: boolean, error?: unknown): void => {
    if (failing === now) return;
    failing = now;
    if (now) log?.warn({ err: error }, `${describe} cannot be read; configured keys and keys seen lately go on.`);
    else log?.info({}, `${describe} can be read again.`);
  };

  const ask = async (id: string, question: Question, askedAt: number): Promise<Found | undefined> => {
    try {
      const found = await options.find(question);
      noteFailing(false);
      if (found === undefined) {
        known.delete(id);
        setBounded(missed, capacity, id, askedAt);
      } else {
        setBounded(known, capacity, id, { found, confirmedAt: askedAt, askedAt });
      }
      return found;
    } catch (error) {
      noteFailing(true, error);
      const before = known.get(id);
      const failedAt = clock.monotonic();
      if (before === undefined || failedAt - before.confirmedAt >= graceMs) throw error;
      // From the failure on, not from the question: else a source that fails slowly would be waited for by every call.
      setBounded(known, capacity, id, { ...before, askedAt: failedAt });
      return before.found;
    }
  };

  const askOnce = (id: string, question: Question, now: number): Promise<Found | undefined> => {
    const running = pending.get(id);
    if (running !== undefined) return running;
    const answer = ask(id, question, now).finally(() => pending.delete(id));
    pending.set(id, answer);
    return answer;
  };

  return {
    find: (id, question) => {
      const now = clock.monotonic();
      const seen = known.get(id);
      if (seen !== undefined && now - seen.askedAt < freshMs) return seen.found;
      const missedAt = missed.get(id);
      if (missedAt !== undefined && now - missedAt < freshMs) return undefined;
      return options.isPossible?.(question) === false ? undefined : askOnce(id, question, now);
    },
  };
}
