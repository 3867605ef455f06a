import { setImmediate as afterRow } from 'node:timers/promises';
import type { Redis } from '../../../../core/api/index.ts';
import { grantScript } from '../redis/scripts.ts';
import { writeCharge } from '../redis/charges.ts';
import { keysOf, readStates } from '../redis-store.ts';
import type { BucketState, Charge } from '../store.ts';

/** What exchanges have used that ended at the same time. */
export interface Spending {
  /** The number of the first call that reports it: the store counts it once, however often it is sent. */
  readonly call: number;
  /** Unix milliseconds. */
  readonly endedAt: number;
  amount: number;
}

/** All that a process holds of one bucket, and what it wants. */
export interface GrantReport {
  readonly id: string;
  readonly call: number;
  /** The last call that was answered. */
  readonly answered: number;
  /** A smaller amount is of no use. */
  readonly least: number;
  /** What is not spent stays counted after a crash. */
  readonly keepsRest: boolean;
  readonly holdings: readonly {
    readonly mark: number;
    readonly free: number;
    readonly held: number;
    readonly kept: number;
    readonly spent: readonly Spending[];
  }[];
  /** Counted at the time of the store, beside what is held. */
  readonly debits: readonly Spending[];
  /** With the amount that is wanted. */
  readonly charge: Charge;
}

export interface GrantReply {
  /** `lost`: the store does not have what the process holds. `late`: it has answered a later call already. */
  readonly problem: 'lost' | 'late' | undefined;
  readonly granted: number;
  /** The current position of the bucket, at which it was granted. */
  readonly mark: number;
  /** For how long it can be spent, from when the call was sent. */
  readonly lastsMs: number;
  readonly state: BucketState;
}

/** Reports and takes grants of one tenant, in one call. */
export type CallGrants = (call: {
  readonly tenant: string;
  readonly leaseMs: number;
  /** As in a reservation. */
  readonly sinceFaultMs: number | undefined;
  readonly reports: readonly GrantReport[];
}) => Promise<readonly GrantReply[]>;

const writeSpent = (spent: readonly Spending[]): string =>
  spent.length === 0 ? '-' : spent.map(({ call, endedAt, amount }) => `${call}:${endedAt}:${amount}`).join(',');

/** The arguments are described in `redis/grants.ts`. */
const writeReport = ({ id, call, answered, least, keepsRest, holdings, debits, charge }: GrantReport): string => {
  const keepsFree = keepsRest && charge.bucket.kind !== 'leases';
  let [words, rest] = ['', 0];
  for (const { mark, free, held, kept, spent } of holdings) {
    words += `${mark} ${free + held} ${kept + (keepsFree ? free : 0)} ${writeSpent(spent)};`;
    rest += free;
  }
  if (debits.length > 0) words += `now 0 0 ${writeSpent(debits)};`;
  return `grant:${id} ${call} ${answered} ${least} ${rest} ${keepsFree ? 1 : 0} ${words}`;
};

const WORDS = 4;

const readReplies = (numbers: readonly number[], reports: readonly GrantReport[]): readonly GrantReply[] => {
  const charges = reports.map(({ charge }) => charge);
  const states = readStates(numbers, reports.length * WORDS, charges);
  return reports.map((_, index) => {
    const [problem, granted = 0, mark = 0, lastsMs = 0] = numbers.slice(index * WORDS, (index + 1) * WORDS);
    const names = { '-1': 'lost', '-2': 'late' } as const;
    return {
      problem: problem === -1 || problem === -2 ? names[problem] : undefined,
      granted,
      mark,
      lastsMs,
      state: states[index] ?? { remaining: 0, resetMs: 0, shadowed: false },
    };
  });
};

/** One script and one round trip per call. It rejects as `redis` does. */
export function createGrantCall(redis: Redis): CallGrants {
  const grant = redis.script('koineGrant', grantScript);
  return async ({ tenant, leaseMs, sinceFaultMs = -1, reports }) => {
    const words = reports.map(writeReport);
    const charges = reports.flatMap(({ charge }) => writeCharge(charge));
    // As settlements of `Breaker` are sent.
    await afterRow();
    const reply = await grant(keysOf(tenant), [leaseMs, sinceFaultMs, reports.length, ...words, ...charges]);
    return readReplies(reply as readonly number[], reports);
  };
}
