import type { Redis } from '../../../core/index.ts';
import { writeCharge } from './redis/charges.ts';
import { peekScript, refreshScript, reserveScript, settleScript } from './redis/scripts.ts';
import type { BucketState, Charge, Decision, LimitStore, Spent } from './store.ts';

/** How the keys of a tenant begin. The hash tag puts all of them into one slot of a cluster: no name may end it early. */
export const tenantRoot = (tenant: string): string => `koine:{${encodeURIComponent(tenant.toWellFormed())}}:`;

/** The set of a tenant's open reservations. */
const openKey = (tenant: string): string => `${tenantRoot(tenant)}open`;

/** Of five numbers each: remaining, reset, shadowed, spent, and the beginning of a window that is not opened. */
const readStates = (numbers: readonly number[], from: number, charges: readonly Charge[]): readonly BucketState[] =>
  charges.map(({ bucket }, index) => {
    const [remaining = 0, resetMs = 0, shadowed, spent = 0, since = -1] = numbers.slice(
      from + index * 5,
      from + index * 5 + 5,
    );
    return {
      remaining,
      resetMs,
      shadowed: shadowed === 1,
      ...(bucket.kind === 'calendar' ? { spent } : {}),
      ...(since === -1 ? {} : { unopened: { since } }),
    };
  });

/** The charge that refused (-1: none, -2: a window is unopened), how long it has to wait, and the states. */
const readDecision = (numbers: readonly number[], charges: readonly Charge[]): Decision => {
  const [charge = -1, waitMs = 0] = numbers;
  const states = readStates(numbers, 2, charges);
  if (charge === -2) return { admitted: false, states };
  return charge === -1 ? { admitted: true, states } : { admitted: false, states, refusedBy: { charge, waitMs } };
};

/** Of three numbers each: index, window, what is spent in it. Null: there was no such reservation. */
const readSpent = (answer: unknown): readonly Spent[] | undefined => {
  if (answer === null) return undefined;
  const numbers = answer as readonly number[];
  const spent: Spent[] = [];
  for (let at = 0; at < numbers.length; at += 3)
    spent.push({ charge: numbers[at] ?? 0, start: numbers[at + 1] ?? 0, spent: numbers[at + 2] ?? 0 });
  return spent;
};

/**
 * Counts in Redis, by its clock, for any number of processes: one script and one round trip a call.
 * Every call rejects as `redis` does: within 100 ms where nobody answers. What a call that got no answer may have reserved runs out with its lease.
 */
export function createRedisStore(redis: Redis): LimitStore {
  const reserve = redis.script('koineReserve', reserveScript);
  const settle = redis.script('koineSettle', settleScript);
  const refresh = redis.script('koineRefresh', refreshScript);
  const peek = redis.script('koinePeek', peekScript);
  return {
    reserve: ({ id, tenant, leaseMs, charges }) =>
      reserve([openKey(tenant)], [id, leaseMs, ...charges.flatMap(writeCharge)]).then((answer) =>
        readDecision(answer as readonly number[], charges),
      ),
    settle: (tenant, id, actual) => settle([openKey(tenant)], [id, ...actual]).then(readSpent),
    refresh: async (tenant, ids, leaseMs) => {
      if (ids.length > 0) await refresh([openKey(tenant)], [leaseMs, ...ids]);
    },
    peek: async (tenant, charges) =>
      readStates((await peek([openKey(tenant)], charges.flatMap(writeCharge))) as readonly number[], 0, charges),
  };
}
