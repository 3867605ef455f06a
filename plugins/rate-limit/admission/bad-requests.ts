import type { Caller, Clock } from '../../../core/api/index.ts';
import type { RuleSet } from '../rules/rule.ts';
import type { Breaker } from '../store/breaker.ts';
import type { LimitStore } from '../store/store.ts';
import type { ExhaustedLimits } from './exhausted.ts';

/** Bad requests that are being counted at once. Further ones are not counted. */
const MAX_RUNNING = 1_000;

export interface BadRequestParts {
  readonly shared: Breaker | undefined;
  readonly local: LimitStore;
  readonly exhausted: ExhaustedLimits;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly leaseMs: number;
  /** Called for a request that is not counted. */
  readonly onDrop: () => void;
}

/**
 * Counts requests that were refused before they reserved anything. Their clients have their response, so nothing waits
 * for this. A bad request is reserved like a good one and settled with the same message: it never exceeds a limit, and
 * a limit without room for it refuses the next request before its body is read.
 */
export class BadRequestCounter {
  readonly #parts: BadRequestParts;
  #running = 0;

  constructor(parts: BadRequestParts) {
    this.#parts = parts;
  }

  /** Returns at once. @param set the caller's limits of `requests` */
  count(id: string, caller: Caller, set: RuleSet): void {
    if (this.#running >= MAX_RUNNING) return this.#parts.onDrop();
    this.#running += 1;
    const end = (): void => {
      this.#running -= 1;
    };
    // A store that fails has logged it. The request stays uncounted.
    this.#reserveAndSettle(id, caller, set).then(end, end);
  }

  async #reserveAndSettle(id: string, caller: Caller, set: RuleSet): Promise<void> {
    const { shared, local, exhausted, clock, leaseMs } = this.#parts;
    const degraded = shared?.open === true;
    const store = shared === undefined || degraded ? local : shared;
    const { tenant } = set;
    const rules = degraded ? set.outage : set.rules;
    if (rules.length === 0) return;
    const requestedAt = clock.monotonic();
    const charges = rules.map(({ bucket }) => ({ bucket, amount: 1, kept: 1 }));
    const reserved = store.reserve({ id, tenant, leaseMs, charges });
    const actual = charges.map(() => 1);
    const settled = store.settle(tenant, id, actual);
    const [decision] = await Promise.all([reserved, settled]);
    const storeName = store === shared ? 'redis' : 'local';
    exhausted.note(caller, { decision, rules, charges, store, storeName, degraded }, requestedAt);
  }
}
