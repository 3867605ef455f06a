import type { Clock } from '../../../core/index.ts';
import type { Bucket, BucketKind, BucketState, Charge, Decision, LimitStore, ReserveRequest, Spent, Unopened } from './store.ts';
import { Calendar } from './twin/calendar.ts';
import { Leases } from './twin/leases.ts';
import { createReservations, type Reservation } from './twin/reservations.ts';
import { SlidingWindow } from './twin/sliding-window.ts';
import type { Moment, OpenedWindow, Tally } from './twin/tally.ts';
import { TokenBucket } from './twin/token-bucket.ts';

/** The store in this process: it answers at once. */
export interface Twin extends LimitStore {
  reserve(request: ReserveRequest): Decision;
  settle(tenant: string, id: string, actual: readonly number[]): readonly Spent[] | undefined;
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void;
  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[];
  /** The windows that began with what the ledger knew, and are not over. */
  opened(): readonly OpenedWindow[];
}

const tallies: { readonly [Kind in BucketKind]: new (bucket: Bucket) => Tally } = {
  window: SlidingWindow,
  'token-bucket': TokenBucket,
  calendar: Calendar,
  leases: Leases,
};

interface Look {
  readonly charge: Charge;
  readonly key: string;
  readonly tally: Tally;
  /** 0: it fits. */
  readonly waitMs: number;
}

const unopenedOf = ({ charge, tally }: Look, now: Moment): Unopened | undefined =>
  charge.bucket.account === undefined || charge.opening === 'later' ? undefined : tally.unopened?.(charge, now);

const stateOf = (look: Look, now: Moment): BucketState => {
  const { charge, tally, waitMs } = look;
  const spent = tally.spent?.(tally.mark(charge, now));
  const unopened = unopenedOf(look, now);
  return {
    remaining: tally.remaining(charge, now),
    resetMs: tally.resetMs(charge, now),
    shadowed: waitMs > 0 && !charge.bucket.enforce,
    ...(spent === undefined ? {} : { spent }),
    ...(unopened === undefined ? {} : { unopened }),
  };
};

/** Of the charges that refuse, the one that refuses longest. */
const longestWait = (looks: readonly Look[]): Look | undefined => {
  let longest: Look | undefined;
  for (const each of looks) if (each.waitMs > (longest?.waitMs ?? 0) && each.charge.bucket.enforce) longest = each;
  return longest;
};

/** Looked at for idleness per charge: more than a charge can create, so that the walk gets round. */
const SWEPT = 2;

/**
 * Counts in this process what Redis counts elsewhere, by the same rules. Outlives reloads.
 * @param memory the buckets that have counted something; given by whoever wants to look into it
 */
export const createTwin = ({ clock, memory = new Map() }: { readonly clock: Clock; readonly memory?: Map<string, Tally> }): Twin => {
  const reservations = createReservations();
  let walk = memory.entries();

  const keyOf = (tenant: string, { bucket }: Charge): string => `${tenant}\n${bucket.key}`;
  const tallyOf = (key: string, { bucket }: Charge): Tally => memory.get(key) ?? new tallies[bucket.kind](bucket);
  /** What a charge finds. */
  const look = (tenant: string, charge: Charge, now: Moment): Look => {
    const key = keyOf(tenant, charge);
    const tally = tallyOf(key, charge);
    return { charge, key, tally, waitMs: charge.amount === 0 ? 0 : tally.waitMs(charge, now) };
  };
  const take = ({ charge, key, tally }: Look, now: Moment): void => {
    if (charge.amount === 0) return;
    tally.take(charge, now);
    memory.set(key, tally);
  };

  const settle = ({ tenant, charges, marks, isLate }: Reservation, actual: (charge: Charge, index: number) => number, now: Moment): readonly Spent[] => {
    const spent: Spent[] = [];
    for (const [index, charge] of charges.entries()) {
      const key = keyOf(tenant, charge);
      const tally = tallyOf(key, charge);
      const start = marks[index] ?? 0;
      tally.settle(charge, start, actual(charge, index), now, isLate);
      if (!tally.isIdle(now)) memory.set(key, tally);
      if (tally.spent !== undefined) spent.push({ charge: index, start, spent: tally.spent(start) });
    }
    return spent;
  };
  /** Time goes on before anything is counted: what ran out is released. */
  const begin = (): Moment => {
    const now = { monotonic: Math.floor(clock.monotonic()), wall: clock.now() };
    for (const orphan of reservations.removeExpired(now.monotonic)) settle(orphan, ({ kept = 0 }) => kept, now);
    return now;
  };
  /** What the ledger knows is counted from now on, whatever becomes of the request that brought it. */
  const open = (tenant: string, charge: Charge, now: Moment): void => {
    if (charge.opening === undefined) return;
    const key = keyOf(tenant, charge);
    const tally = tallyOf(key, charge);
    tally.open?.(charge, now);
    memory.set(key, tally);
  };
  const sweep = (count: number, now: Moment): void => {
    for (let seen = 0; seen < count; seen += 1) {
      const { value, done } = walk.next();
      if (done === true) {
        walk = memory.entries();
        return;
      }
      if (value[1].isIdle(now)) memory.delete(value[0]);
    }
  };

  return {
    reserve: (request) => {
      const { tenant, charges } = request;
      const now = begin();
      for (const charge of charges) open(tenant, charge, now);
      const looks = charges.map((charge) => look(tenant, charge, now));
      if (looks.some((each) => unopenedOf(each, now) !== undefined)) return { admitted: false, states: looks.map((each) => stateOf(each, now)) };
      const refusal = longestWait(looks);
      if (refusal === undefined) {
        reservations.add(request, looks.map(({ charge, tally }) => tally.mark(charge, now)), now.monotonic);
        for (const each of looks) take(each, now);
        sweep(charges.length * SWEPT, now);
      }
      const states = looks.map((each) => stateOf(each, now));
      return refusal === undefined ? { admitted: true, states } : { admitted: false, states, refusedBy: { charge: looks.indexOf(refusal), waitMs: refusal.waitMs } };
    },
    settle: (tenant, id, actual) => {
      const now = begin();
      const reservation = reservations.remove(tenant, id);
      return reservation && settle(reservation, (_charge, index) => actual[index] ?? 0, now);
    },
    refresh: (tenant, ids, leaseMs) => {
      const now = begin();
      for (const id of ids) reservations.refresh(tenant, id, leaseMs, now.monotonic);
    },
    peek: (tenant, charges) => {
      const now = begin();
      return charges.map((charge) => stateOf(look(tenant, { ...charge, amount: 0 }, now), now));
    },
    opened: () => {
      const now = begin();
      return [...memory.values()].flatMap((tally) => tally.opened?.(now) ?? []);
    },
  };
};
