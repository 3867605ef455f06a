import type { Admission } from '../../contracts/outcome.ts';
import type { Clock, Log, Metrics } from '../../contracts/services.ts';
import type { BackgroundRecord, BackgroundRecords } from '../../services/background/records.ts';
import type { OpenResponse } from './packed-exchange.ts';

/** How often it is looked whether a response is due. */
const TICK_MS = 500;
/** Between two renewals of claims: three fit into a claim. */
const CLAIM_EVERY_MS = 3_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Between two calls to the vendor about one response: 2 s, then half as much again each time, at most 30 s. */
const FIRST_WAIT_MS = 2_000;
const MOST_WAIT_MS = 30_000;
/** Calls of one process at once. */
const MOST_CALLS = 16;

/** A response that this process follows. */
export interface Followed extends OpenResponse {
  readonly admissions: Promise<readonly Admission[]>;
  /** Monotonic milliseconds. */
  dueAt: number;
  waitMs: number;
  isBusy: boolean;
}

export interface FollowerParts {
  readonly records: BackgroundRecords;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether requests of background responses are open in this process. */
  hasBegun(): boolean;
  open(record: BackgroundRecord): OpenResponse;
  /** Reserves what the response can use. */
  resume(open: OpenResponse): Promise<readonly Admission[]>;
  /** Gives back what was reserved. */
  leave(followed: Followed): Promise<void>;
  /** Asks the vendor about a response that is due. Never rejects. */
  check(followed: Followed): Promise<void>;
}

/** The responses that this process follows, and their claims. */
export class Follower {
  readonly #parts: FollowerParts;
  /** By the id of the response. */
  readonly #followed = new Map<string, Followed>();
  readonly #show: (count: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #claimAt = 0;
  #pruneAt = 0;
  #claiming: Promise<void> | undefined;
  #isFailing = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#show = parts.metrics
      .gauge('koine_background_responses', 'Background responses that are followed.', [], 'sum')
      .bind([]);
  }

  /** Begins to claim and to ask. */
  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Leaves what it follows to other processes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#claiming;
    const all = [...this.#followed.values()];
    this.#followed.clear();
    this.#show(0);
    for (const followed of all) await this.#parts.leave(followed);
    if (all.length > 0 || this.#parts.hasBegun()) await this.#parts.records.release().catch(() => {});
  }

  get(response: string): Followed | undefined {
    return this.#followed.get(response);
  }

  follow(open: OpenResponse, firstWaitMs = FIRST_WAIT_MS): void {
    const { response } = open.record;
    if (this.#followed.has(response)) return;
    const dueAt = this.#parts.clock.monotonic() + firstWaitMs;
    const admissions = this.#parts.resume(open);
    this.#followed.set(response, { ...open, admissions, dueAt, waitMs: FIRST_WAIT_MS, isBusy: false });
    this.#show(this.#followed.size);
  }

  /** Follows it no longer. @returns undefined: this process did not follow it */
  remove(response: string): Followed | undefined {
    const followed = this.#followed.get(response);
    this.#followed.delete(response);
    this.#show(this.#followed.size);
    return followed;
  }

  #tick(): void {
    const now = this.#parts.clock.monotonic();
    if (now >= this.#claimAt && this.#claiming === undefined) {
      this.#claimAt = now + CLAIM_EVERY_MS;
      this.#claiming = this.#claim(now).finally(() => (this.#claiming = undefined));
    }
    let calls = 0;
    for (const followed of this.#followed.values()) if (followed.isBusy) calls += 1;
    for (const followed of this.#followed.values()) {
      if (followed.isBusy || now < followed.dueAt || calls >= MOST_CALLS) continue;
      calls += 1;
      void this.#check(followed);
    }
  }

  async #check(followed: Followed): Promise<void> {
    followed.isBusy = true;
    await this.#parts.check(followed);
    followed.isBusy = false;
    followed.waitMs = Math.min(MOST_WAIT_MS, followed.waitMs * 1.5);
    followed.dueAt = this.#parts.clock.monotonic() + followed.waitMs;
  }

  async #claim(now: number): Promise<void> {
    const { records, log, clock, open, leave, hasBegun } = this.#parts;
    try {
      const kept = this.#followed.size > 0 || hasBegun() ? await records.renew() : undefined;
      for (const followed of this.#followed.values()) {
        const { response } = followed.record;
        if (kept?.has(response) === true || followed.isBusy) continue;
        this.remove(response);
        await leave(followed);
      }
      for (const record of await records.claim()) this.follow(open(record), 0);
      if (now >= this.#pruneAt) await records.prune(clock.now());
      if (now >= this.#pruneAt) this.#pruneAt = now + PRUNE_EVERY_MS;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        log.warn({ error }, 'background responses cannot be claimed: those of processes that died are not settled yet');
      this.#isFailing = true;
    }
  }
}
