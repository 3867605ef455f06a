import type { Caller, Clock } from '../../../core/index.ts';
import type { Guard } from '../store/guard.ts';
import type { ExhaustedLimits } from './exhausted.ts';
import type { RuleSet } from '../rules/rules.ts';
import type { LimitStore } from '../store/store.ts';

/** Counts under way at once; beyond them bad requests are not counted. */
const MOST = 1_000;

export interface BadRequestParts {
  readonly shared: Guard | undefined;
  readonly local: LimitStore;
  readonly exhausted: ExhaustedLimits;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly leaseMs: number;
  /** One more was not counted. */
  readonly dropped: () => void;
}

/** @param set the caller's limits of `requests` */
export type CountBadRequest = (id: string, caller: Caller, set: RuleSet) => void;

/**
 * Counts one request that was refused before it reserved anything. Its client has been answered: nothing waits for it. It is reserved like a good
 * one and settled in the same message, so it never goes beyond a limit, and a limit that has no room for it refuses the next before its body.
 */
export function createCountBadRequest({
  shared,
  local,
  exhausted,
  clock,
  leaseMs,
  dropped,
}: BadRequestParts): CountBadRequest {
  let underWay = 0;
  const count = async (id: string, caller: Caller, { tenant, rules: all, outage }: RuleSet): Promise<void> => {
    const degraded = shared?.open === true;
    const store = shared === undefined || degraded ? local : shared;
    const rules = degraded ? outage : all;
    if (rules.length === 0) return;
    const askedAt = clock.monotonic();
    const charges = rules.map(({ bucket }) => ({ bucket, amount: 1, kept: 1 }));
    const reserved = store.reserve({ id, tenant, leaseMs, charges });
    const settled = store.settle(
      tenant,
      id,
      charges.map(() => 1),
    );
    const [decision] = await Promise.all([reserved, settled]);
    exhausted.note(
      caller,
      { decision, rules, charges, store, place: store === shared ? 'redis' : 'local', degraded },
      askedAt,
    );
  };
  return (id, caller, set) => {
    if (underWay >= MOST) return dropped();
    underWay += 1;
    const end = (): void => {
      underWay -= 1;
    };
    // A store that fails has noted it: the request stays uncounted.
    count(id, caller, set).then(end, end);
  };
}
