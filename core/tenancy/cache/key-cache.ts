import type { Clock, Log } from '../../contracts/services.ts';
import { setBounded } from '../../services/bounded-map.ts';
import { Confirmation, type ReadChanges } from './confirmation.ts';

export interface KeyCacheOptions<Query, Found> {
  /**
   * Looks a key up in the source, within a time limit of its own. Returns undefined when there is no such key, and
   * rejects when the source is unavailable.
   */
  find(query: Query): Found | undefined | Promise<Found | undefined>;
  /** Returns false for text that cannot be a key. The source is then not queried. */
  isPossible?(query: Query): boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gets one line when the source fails, and one when it works again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
  /** How long a result is used without a new query, in milliseconds. A revocation takes effect within this time. */
  readonly freshMs: number;
  /**
   * Reads which keys have changed. A known key is then used until it has: one query in `freshMs` confirms all of them.
   * Unknown keys are queried by their age.
   */
  readonly readChanges?: ReadChanges;
  /**
   * How long a key stays valid after its last confirmation while the source fails, in milliseconds. 0: such a key is
   * refused as soon as it is no longer fresh.
   */
  readonly graceMs: number;
  /** The number of existing keys to keep, and of unknown keys, at most 10,000, to keep in addition. */
  readonly capacity?: number;
  /** The source in log lines, as a plural: `The keys in the database`. */
  readonly describe: string;
}

export interface KeyCache<Query, Found> {
  /**
   * Returns a fresh result synchronously, and queries the source otherwise. Rejects with the error of the source when
   * the key is not cached, or was last confirmed too long ago.
   * @param id identifies the key: the digest of its whole text, never the text
   */
  find(id: string, query: Query): Found | undefined | Promise<Found | undefined>;
}

interface Hit<Found> {
  readonly found: Found;
  /** The time of the last query of this key that confirmed it. */
  readonly confirmedAt: number;
  /** The time of the last query, successful or not. */
  readonly checkedAt: number;
}

/** Unknown keys to keep. Anyone can present one. */
const UNKNOWN_CAPACITY = 10_000;

/**
 * Caches a source of keys for a short time, or until they change. Hits and misses are kept apart, so that a flood of
 * wrong keys does not evict valid ones. Concurrent lookups of one key share one query. While the source fails, a
 * recently confirmed key stays valid, and a key that the source reported as unknown does not become valid again.
 */
class CachedKeys<Query, Found> implements KeyCache<Query, Found> {
  readonly #options: KeyCacheOptions<Query, Found>;
  readonly #capacity: number;
  readonly #confirmation: Confirmation | undefined;
  readonly #hits = new Map<string, Hit<Found>>();
  readonly #misses = new Map<string, number>();
  readonly #pending = new Map<string, Promise<Found | undefined>>();
  /** Keys that have changed while they are queried: the response can be the older state. */
  readonly #changed = new Set<string>();
  #isFailing = false;

  constructor(options: KeyCacheOptions<Query, Found>) {
    this.#options = options;
    this.#capacity = options.capacity ?? 10_000;
    const { readChanges, clock, freshMs } = options;
    if (readChanges !== undefined)
      this.#confirmation = new Confirmation({
        readChanges,
        clock,
        freshMs,
        onChange: (ids) => (ids === undefined ? this.#settleTimes() : this.#forget(ids)),
      });
  }

  find(id: string, query: Query): Found | undefined | Promise<Found | undefined> {
    const { clock, freshMs, isPossible } = this.#options;
    const now = clock.monotonic();
    this.#confirmation?.prepare(now);
    const hit = this.#hits.get(id);
    if (hit !== undefined && (now - hit.checkedAt < freshMs || now - this.#confirmedAt(hit) < freshMs))
      return hit.found;
    const missedAt = this.#misses.get(id);
    if (missedAt !== undefined && now - missedAt < freshMs) return undefined;
    if (isPossible?.(query) === false) return undefined;
    const running = this.#pending.get(id);
    if (running !== undefined) return running;
    const result = this.#confirm(id, query).finally(() => {
      this.#pending.delete(id);
      this.#changed.delete(id);
    });
    this.#pending.set(id, result);
    return result;
  }

  #confirmedAt({ confirmedAt }: Hit<Found>): number {
    return this.#confirmation?.confirmedAt(confirmedAt) ?? confirmedAt;
  }

  /** Queries what has changed if this confirms the key, and the key otherwise. */
  async #confirm(id: string, query: Query): Promise<Found | undefined> {
    const { clock } = this.#options;
    const known = this.#hits.get(id);
    if (known === undefined || this.#confirmation?.covers(known.confirmedAt) !== true)
      return this.#refresh(id, query, clock.monotonic());
    try {
      await this.#confirmation.read();
    } catch (error) {
      return this.#keep(id, error);
    }
    this.#setFailing(false);
    if (this.#hits.get(id) === known && this.#confirmation.covers(known.confirmedAt)) return known.found;
    this.#changed.delete(id);
    return this.#refresh(id, query, clock.monotonic());
  }

  async #refresh(id: string, query: Query, checkedAt: number): Promise<Found | undefined> {
    try {
      const found = await this.#options.find(query);
      this.#setFailing(false);
      if (found === undefined) {
        this.#hits.delete(id);
        setBounded(this.#misses, Math.min(this.#capacity, UNKNOWN_CAPACITY), id, checkedAt);
      } else if (!this.#changed.has(id)) {
        setBounded(this.#hits, this.#capacity, id, { found, confirmedAt: checkedAt, checkedAt });
      }
      return found;
    } catch (error) {
      return this.#keep(id, error);
    }
  }

  /** Uses what is known of a key while the source fails. */
  #keep(id: string, error: unknown): Found {
    this.#setFailing(true, error);
    const hit = this.#hits.get(id);
    const failedAt = this.#options.clock.monotonic();
    if (hit === undefined || failedAt - this.#confirmedAt(hit) >= this.#options.graceMs) throw error;
    // Fresh from the failure on, not from the query: otherwise every lookup would wait for a source that fails
    // slowly.
    setBounded(this.#hits, this.#capacity, id, { ...hit, checkedAt: failedAt });
    return hit.found;
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.#hits.delete(id);
      if (this.#pending.has(id)) this.#changed.add(id);
    }
  }

  /** From now on the confirmation does not cover the keys that are known: they keep the time of their last one. */
  #settleTimes(): void {
    for (const [id, hit] of this.#hits) this.#hits.set(id, { ...hit, confirmedAt: this.#confirmedAt(hit) });
  }

  #setFailing(isFailing: boolean, error?: unknown): void {
    if (this.#isFailing === isFailing) return;
    this.#isFailing = isFailing;
    const { log, describe } = this.#options;
    if (isFailing)
      log?.warn(
        { err: error },
        `${describe} cannot be read. Keys of the configuration and recently confirmed keys still work.`,
      );
    else log?.info({}, `${describe} can be read again.`);
  }
}

/** See {@link KeyCache}. */
export function createKeyCache<Query, Found>(options: KeyCacheOptions<Query, Found>): KeyCache<Query, Found> {
  return new CachedKeys(options);
}
