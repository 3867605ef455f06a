import type { Clock } from '../../../../core/api/index.ts';
import type { Breaker } from '../breaker.ts';
import type { Charge } from '../store.ts';
import type { CallGrants, GrantReply } from './grant-call.ts';
import { Grant } from './grant.ts';
import type { Clocks } from './holding.ts';

/** Grants in one call: a script blocks its Redis, so it must be short. */
const MAX_REPORTS = 50;

export interface GrantParts {
  readonly breaker: Breaker;
  readonly call: CallGrants;
  readonly clock: Clock;
}

export const readClocks = ({ clock }: GrantParts): Clocks => ({ monotonic: clock.monotonic(), wall: clock.now() });

/** The grants of one tenant, and the calls for them: one at a time. */
export class TenantGrants {
  readonly name: string;
  /** Of the last request. */
  leaseMs: number;
  readonly #parts: GrantParts;
  /** By the key of the bucket. */
  readonly #grants = new Map<string, Grant>();
  #sending: Promise<void> | undefined;
  /** Another call has to follow the one under way. */
  #isUrgent = false;

  constructor(name: string, parts: GrantParts, leaseMs: number) {
    this.name = name;
    this.#parts = parts;
    this.leaseMs = leaseMs;
  }

  get isEmpty(): boolean {
    return this.#grants.size === 0;
  }

  of(charge: Charge): Grant {
    let found = this.#grants.get(charge.bucket.key);
    if (found === undefined) this.#grants.set(charge.bucket.key, (found = new Grant(charge)));
    return found;
  }

  /** Reports all grants that have something to report. Never rejects. */
  async send(): Promise<void> {
    if (this.#parts.breaker.open) return;
    this.#sending ??= this.#sendAll().finally(() => this.#follow());
    await this.#sending;
  }

  /** Reports what has just happened: after the call under way, if there is one. */
  sendNow(): void {
    this.#isUrgent = true;
    void this.send();
  }

  /** Ends a span. @param now monotonic */
  async tick(now: number): Promise<void> {
    let isDue = false;
    for (const [key, grant] of this.#grants) {
      if (!grant.endSpan()) this.#grants.delete(key);
      else isDue ||= !grant.isFresh(now) && grant.isDue(now, this.leaseMs);
    }
    if (isDue) await this.send();
  }

  /** @returns whether there was anything to give back: now, or in the call that was under way */
  async giveBack(grant: Grant): Promise<boolean> {
    const { hasRest, holdsNothing } = grant;
    grant.giveBack(this.#parts.clock.monotonic());
    if (holdsNothing || (!hasRest && this.#sending === undefined)) return false;
    await this.#sending;
    if (grant.hasRest) await this.send();
    return true;
  }

  /** Gives back everything that no running exchange holds. */
  async close(): Promise<void> {
    await this.#sending;
    const now = this.#parts.clock.monotonic();
    for (const grant of this.#grants.values()) grant.giveBack(now);
    await this.send();
  }

  async #sendAll(): Promise<void> {
    this.#isUrgent = false;
    const now = this.#parts.clock.monotonic();
    const due = [...this.#grants.values()].filter((grant) => grant.isDue(now, this.leaseMs));
    try {
      for (let at = 0; at < due.length; at += MAX_REPORTS) await this.#call(due.slice(at, at + MAX_REPORTS));
    } catch {
      // The breaker has counted and logged it. The next call has all of it.
    }
  }

  /** A call that follows is not part of the wait for the one before. */
  #follow(): void {
    this.#sending = undefined;
    if (this.#isUrgent) void this.send();
  }

  async #call(grants: readonly Grant[]): Promise<void> {
    const { breaker, call } = this.#parts;
    const { faultedAt, sinceFaultMs } = breaker;
    const sent = readClocks(this.#parts);
    const reports = grants.map((grant) => grant.report(sent));
    let replies: readonly GrantReply[];
    try {
      const words = { tenant: this.name, leaseMs: this.leaseMs, sinceFaultMs, reports };
      replies = await breaker.run('grant', () => call(words));
    } catch (error) {
      for (const grant of grants) grant.fail();
      throw error;
    }
    for (const [index, grant] of grants.entries()) {
      const [reply, report] = [replies[index], reports[index]];
      if (reply === undefined || report === undefined) continue;
      if (!grant.accept(reply, report.call, sent, faultedAt)) breaker.noteLoss();
    }
  }
}
