import type { Redis } from '../../../core/api/index.ts';
import { writeCharge } from './redis/charges.ts';
import { debitScript, peekScript, refreshScript, renewScript, reserveScript, settleScript } from './redis/scripts.ts';
import type { BucketState, Charge, Decision, ReserveRequest, SharedStore, Spent } from './store.ts';

/**
 * The prefix of the keys of a tenant. Its hash tag puts all of them into one slot of a cluster; the name is encoded, so
 * that no brace in it ends the tag early.
 */
export const tenantRoot = (tenant: string): string => `koine:{${encodeURIComponent(tenant.toWellFormed())}}:`;

/**
 * The keys that a script names: the set of a tenant's open reservations, and one that never exists. While the slot of
 * the tenant is moved to another node of a cluster, key by key, neither node has all of its keys, and a count would
 * begin again at zero. Redis refuses a script that names several keys of such a slot and does not find all of them
 * (TRYAGAIN), so that it is sent again until the move is complete.
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#multi-key-operations
 */
export const keysOf = (tenant: string): readonly string[] => {
  const root = tenantRoot(tenant);
  return [`${root}open`, `${root}moved`];
};

const FIELDS = 7;
/**
 * Seven numbers each: remaining, reset, shadowed, spent, the span whose baseline is missing or has to be read again
 * (-1: none), and which of these it is.
 */
export const readStates = (
  numbers: readonly number[],
  from: number,
  charges: readonly Charge[],
): readonly BucketState[] =>
  charges.map(({ bucket }, index) => {
    const at = from + index * FIELDS;
    const [remaining = 0, resetMs = 0, shadowed, spent = 0, since = -1, until = 0, kind] = numbers.slice(
      at,
      at + FIELDS,
    );
    const state = { remaining, resetMs, shadowed: shadowed === 1, ...(bucket.kind === 'calendar' ? { spent } : {}) };
    if (since === -1) return state;
    if (kind === 2) return { ...state, staleBaseline: { since, until } };
    return { ...state, missingBaseline: { since, until, isCounted: kind === 1 } };
  });

/** The refused charge (-1: none, -2: a baseline is missing), how long it has to wait, and the states. */
const readDecision = (numbers: readonly number[], charges: readonly Charge[]): Decision => {
  const [charge = -1, waitMs = 0] = numbers;
  const states = readStates(numbers, 2, charges);
  if (charge === -2) return { admitted: false, states };
  return charge === -1 ? { admitted: true, states } : { admitted: false, states, refusedBy: { charge, waitMs } };
};

const lacksPlace = ({ refusedBy }: Decision, charges: readonly Charge[]): boolean =>
  refusedBy !== undefined && charges[refusedBy.charge]?.bucket.kind === 'leases';

/** Three numbers each: the index, the start of the window, what is spent in it. Null: there is no such reservation. */
const readSpent = (reply: unknown): readonly Spent[] | undefined => {
  if (reply === null) return undefined;
  const numbers = reply as readonly number[];
  const spent: Spent[] = [];
  for (let at = 0; at < numbers.length; at += 3)
    spent.push({ charge: numbers[at] ?? 0, start: numbers[at + 1] ?? 0, spent: numbers[at + 2] ?? 0 });
  return spent;
};

/**
 * Counts in Redis, by its clock, for any number of processes: one script and one round trip per call, and two for a
 * reservation that lacks a place of `concurrent`. A call rejects as `redis` does: within 100 ms if there is no reply.
 * What such a call has reserved is released when its lease expires.
 */
export function createRedisStore(redis: Redis): SharedStore {
  const reserve = redis.script('koineReserve', reserveScript);
  const settle = redis.script('koineSettle', settleScript);
  const refresh = redis.script('koineRefresh', refreshScript);
  const peek = redis.script('koinePeek', peekScript);
  const debit = redis.script('koineDebit', debitScript);
  const renew = redis.script('koineRenew', renewScript);
  const take = ({ id, tenant, leaseMs, sinceFaultMs = -1, charges }: ReserveRequest): Promise<unknown> =>
    reserve(keysOf(tenant), [id, leaseMs, sinceFaultMs, ...charges.flatMap(writeCharge)]);
  return {
    // A place that another process gave back before can be in a socket that Redis reads after this one: a client would
    // find its own place taken, although it has its response. Redis has read that socket before it reads this one
    // again.
    reserve: (request) =>
      take(request).then((reply) => {
        const decision = readDecision(reply as readonly number[], request.charges);
        if (!lacksPlace(decision, request.charges)) return decision;
        return take(request).then((again) => readDecision(again as readonly number[], request.charges));
      }),
    settle: (tenant, id, actual, endedAt = Number.MAX_SAFE_INTEGER) =>
      settle(keysOf(tenant), [id, endedAt, ...actual]).then(readSpent),
    debit: async (tenant, id, { budgets, endedAt, leaseMs }, isUncertain = false) => {
      const words = budgets.flatMap(({ key, start, end, amount }) => [key, start, end, amount]);
      await debit(keysOf(tenant), [id, leaseMs, endedAt, isUncertain ? 1 : 0, ...words]);
    },
    renew: async (tenant, charges) => {
      await renew(keysOf(tenant), charges.flatMap(writeCharge));
    },
    refresh: async (tenant, ids, leaseMs) => {
      if (ids.length > 0) await refresh(keysOf(tenant), [leaseMs, ...ids]);
    },
    peek: async (tenant, charges) =>
      readStates((await peek(keysOf(tenant), charges.flatMap(writeCharge))) as readonly number[], 0, charges),
  };
}
