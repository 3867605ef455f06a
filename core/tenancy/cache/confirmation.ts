import type { Clock } from '../../contracts/services.ts';

/** What has changed in a source of keys. */
export interface ChangedKeys {
  /** Changes up to here are known. */
  readonly position: number;
  /** The ids of the keys that were changed or deleted; undefined: each key may have been. */
  readonly ids?: readonly string[];
}

/** @param after an earlier position; absent: there is none. Rejects when the source is unavailable */
export type ReadChanges = (after?: number) => Promise<ChangedKeys>;

interface Parts {
  readonly readChanges: ReadChanges;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How long a confirmation is used, in milliseconds. */
  readonly freshMs: number;
  /** Called with the keys that are no longer confirmed; without: none is. */
  readonly onChange: (ids?: readonly string[]) => void;
}

/**
 * Confirms all known keys of a source with one query: what has changed in it. A key that was read after the first
 * query, and that no later one has named, is the same as at the start of the latest. Times are those of the clock.
 */
export class Confirmation {
  readonly #parts: Parts;
  #position: number | undefined;
  /** What was read later is confirmed by each query of changes. */
  #since = Infinity;
  /** The start of the latest successful query. */
  #readAt = -Infinity;
  #failure: { readonly at: number; readonly error: unknown } | undefined;
  #reading: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether all changes are known of what was read at this time. */
  covers(readAt: number): boolean {
    return readAt > this.#since;
  }

  /** The time at which what was read at this time was last confirmed. */
  confirmedAt(readAt: number): number {
    return this.covers(readAt) ? Math.max(readAt, this.#readAt) : readAt;
  }

  /** Starts a query in good time, so that no caller has to wait for one while there are callers. */
  prepare(now: number): void {
    if (this.#reading === undefined && now - this.#readAt >= this.#parts.freshMs / 2 && !this.#hasFailed(now))
      this.read().catch(() => {});
  }

  /**
   * Queries what has changed. Concurrent callers share one query, and a failure.
   * @throws the error of the source
   */
  read(): Promise<void> {
    if (this.#hasFailed(this.#parts.clock.monotonic())) return Promise.reject(this.#failure?.error);
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    }));
  }

  #hasFailed(now: number): boolean {
    return this.#failure !== undefined && now - this.#failure.at < this.#parts.freshMs;
  }

  async #read(): Promise<void> {
    const { readChanges, clock, onChange } = this.#parts;
    const startedAt = clock.monotonic();
    try {
      const { position, ids } = await readChanges(this.#position);
      onChange(ids);
      if (ids === undefined) this.#since = clock.monotonic();
      this.#position = position;
      this.#readAt = startedAt;
      this.#failure = undefined;
    } catch (error) {
      // After an outage it can be another source, with other changes at this position.
      this.#position = undefined;
      this.#failure = { at: clock.monotonic(), error };
      throw error;
    }
  }
}
