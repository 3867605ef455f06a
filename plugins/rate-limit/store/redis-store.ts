import type { Redis } from '../../../core/index.ts';
import { writeCharge } from './redis/charges.ts';
import { peekScript, refreshScript, reserveScript, settleScript } from './redis/scripts.ts';
import type { BucketState, LimitStore } from './store.ts';

/** The set of a tenant's open reservations. Its hash tag puts all of the tenant into one slot of a cluster: no name may end it early. */
const openKey = (tenant: string): string => `koine:{${encodeURIComponent(tenant.toWellFormed())}}:open`;

/** Of three numbers each: remaining, reset, shadowed. */
const readStates = (numbers: readonly number[], from: number): readonly BucketState[] => {
  const states: BucketState[] = [];
  for (let at = from; at < numbers.length; at += 3) states.push({ remaining: numbers[at] ?? 0, resetMs: numbers[at + 1] ?? 0, shadowed: numbers[at + 2] === 1 });
  return states;
};

/**
 * Counts in Redis, by its clock, for any number of processes: one script and one round trip a call.
 * Every call rejects as `redis` does: within 100 ms where nobody answers. What a call that got no answer may have reserved runs out with its lease.
 */
export const createRedisStore = (redis: Redis): LimitStore => {
  const reserve = redis.script('koineReserve', reserveScript);
  const settle = redis.script('koineSettle', settleScript);
  const refresh = redis.script('koineRefresh', refreshScript);
  const peek = redis.script('koinePeek', peekScript);
  return {
    reserve: async ({ id, tenant, leaseMs, charges }) => {
      const answer = (await reserve([openKey(tenant)], [id, leaseMs, ...charges.flatMap(writeCharge)])) as readonly number[];
      const [charge = -1, waitMs = 0] = answer;
      const states = readStates(answer, 2);
      return charge === -1 ? { admitted: true, states } : { admitted: false, states, refusedBy: { charge, waitMs } };
    },
    settle: async (tenant, id, actual) => (await settle([openKey(tenant)], [id, ...actual])) === 1,
    refresh: async (tenant, ids, leaseMs) => {
      if (ids.length > 0) await refresh([openKey(tenant)], [leaseMs, ...ids]);
    },
    peek: async (tenant, charges) => readStates((await peek([openKey(tenant)], charges.flatMap(writeCharge))) as readonly number[], 0),
  };
};
