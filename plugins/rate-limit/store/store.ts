import type { SpendingQuery } from '../../../core/api/index.ts';

/** How a bucket counts. */
export type BucketKind = 'window' | 'token-bucket' | 'calendar' | 'leases';

/** A hundred years. A longer refill could neither be formatted as a date nor passed to Redis. */
export const LONGEST_REFILL_MS = 3_155_760_000_000;

/** The spending that a bucket counts, as the ledger identifies it. */
export interface Account extends Pick<SpendingQuery, 'path' | 'models' | 'user' | 'tag'> {
  /** The share of the spending that is counted here: below 1 on a host that counts alone during an outage. */
  readonly share: number;
}

/** One limit of one scope, as a store counts it. Created once per caller, not per request. */
export interface Bucket {
  /**
   * Unique within the tenant and within a request; the same in every process and after every reload. It contains the
   * kind and the length, but not the amount: counts are kept when an operator changes the amount of a limit.
   */
  readonly key: string;
  readonly kind: BucketKind;
  /** The most that a window, a calendar window or the leases can hold. The size (`burst`) of a token bucket. */
  readonly limit: number;
  /** The length of a window. The time in which a token bucket refills by `rate`. Milliseconds. */
  readonly per: number;
  /** What a token bucket gains in `per`. */
  readonly rate: number;
  /** false: a shadow limit. It is counted, and never refuses. */
  readonly enforce: boolean;
  /** One of many that clients can name: the memory store forgets the least recently used ones. */
  readonly isNamed?: true;
  /** Set for budgets: a window that this store has not counted from its beginning starts with a baseline. */
  readonly account?: Account;
}

/** What an account had spent by the ledger, in the window that began at `since`, in what ended before `until`. */
export interface Baseline extends BaselineSpan {
  /** Whole nano-dollars. */
  readonly amount: number;
  /** false: there is no ledger. */
  readonly isRecorded?: boolean;
  /**
   * What the process knew to be spent at the last fault of the shared store, without what hosts have admitted alone:
   * rows of it may not be in the ledger yet.
   */
  readonly known?: number;
}

/** What one request takes from one bucket. */
export interface Charge {
  readonly bucket: Bucket;
  /** Whole, and at least 0. */
  readonly amount: number;
  /**
   * For a calendar bucket: the unix milliseconds at which the windows before, at and after now begin, and the end of
   * the last. Four, ascending. The clock of the store decides which of the three windows counts.
   */
  readonly bounds?: readonly number[];
  /**
   * What stays counted if the process crashes. The request was made, so it counts; the tokens that it reserved may
   * never have been generated.
   */
  readonly kept?: number;
  /**
   * For an account: the baseline of the window, used if the window lacks it. `later`: the ledger does not respond; the
   * window is counted without it, from what is known otherwise, and the next request reads it again.
   */
  readonly baseline?: Baseline | 'later';
  /** For an account on a host that counts alone: what its process knows of it. */
  readonly known?: Known;
}

/** What a process knows of a budget, in the window that began at `since`. Nano-dollars and unix milliseconds. */
export interface Known {
  readonly since: number;
  /** What the shared store had last counted, with what was reserved. A host that counts alone has its part of it. */
  readonly amount: number;
  /** What this process has admitted alone since then. */
  readonly alone: number;
  /** When the shared store had last counted. */
  readonly countedAt: number;
}

export interface ReserveRequest {
  /** Unique forever. */
  readonly id: string;
  /** The organization. Everything of one request is stored together: in one slot of a Redis cluster. */
  readonly tenant: string;
  /** A reservation that is neither settled nor refreshed for this long is released: its process has crashed. */
  readonly leaseMs: number;
  /**
   * Milliseconds since the last fault of the shared store that this process has seen, if there was one. The baseline of
   * a budget that was read before is read again.
   */
  readonly sinceFaultMs?: number;
  readonly charges: readonly Charge[];
}

/** What an exchange has spent of a budget whose store had not admitted it, or has lost its reservation. */
export interface Debit {
  /** Of the bucket. */
  readonly key: string;
  /** The window, in unix milliseconds. */
  readonly start: number;
  readonly end: number;
  /** Nano-dollars. */
  readonly amount: number;
}

/** The debits of one exchange. */
export interface Debits {
  readonly budgets: readonly Debit[];
  /** When it ended by its row in the ledger, in unix milliseconds. */
  readonly endedAt: number;
  /** The lease of its reservation: after four of them the ledger has its row. */
  readonly leaseMs: number;
}

/** The state of one bucket after a decision. States are in the order of the charges. */
export interface BucketState {
  /** Can be negative, if more was used than was reserved. */
  readonly remaining: number;
  /** Until the bucket is full again, or until the next calendar window. For leases, one second while any is held. */
  readonly resetMs: number;
  /** A shadow limit would have refused. It counts beyond its limit. */
  readonly shadowed: boolean;
  /** For a calendar bucket: what is used, without what is only reserved. */
  readonly spent?: number;
  /**
   * For an account whose window has no baseline yet, or none since the last fault: the span that the ledger has to sum
   * up. `isCounted`: the store has counted it before, and can go on from there if the ledger does not respond.
   */
  readonly missingBaseline?: BaselineSpan & { readonly isCounted?: boolean };
  /** For an account: a span that the ledger should sum up again, because rows can reach it late. */
  readonly staleBaseline?: BaselineSpan;
}

/** The span of time of a baseline. Unix milliseconds. */
export interface BaselineSpan {
  /** When the window began. */
  readonly since: number;
  /** Exchanges that ended from then on are counted here already. Absent: none is. */
  readonly until?: number;
  /** How often the ledger had found earlier spending when the store asked for it. Absent: never. */
  readonly epoch?: number;
}

/** The state of a calendar bucket after a settlement. */
export interface Spent {
  /** The index among the charges. */
  readonly charge: number;
  /** When the charged window began, in unix milliseconds. */
  readonly start: number;
  readonly spent: number;
}

export interface Decision {
  /** false without `refusedBy`: nothing was decided, because a state has a missing baseline. */
  readonly admitted: boolean;
  readonly states: readonly BucketState[];
  /** The index of the refused charge with the longest wait, and that wait in milliseconds. */
  readonly refusedBy?: { readonly charge: number; readonly waitMs: number };
}

/**
 * Counts reservations and settlements. There are two implementations, Lua scripts in Redis and memory that the threads
 * of a process share; the same tests run against both. A call is all or nothing: a refusal leaves every bucket as it
 * was.
 */
export interface LimitStore {
  /** Takes every charge, or none. A charge of 0 takes nothing and is never refused. */
  reserve(request: ReserveRequest): Decision | Promise<Decision>;
  /**
   * Replaces what was reserved with what was used. Does nothing for an unknown id, or if the id is already settled. A
   * reservation whose lease has expired can still be settled for an hour: its process may only have been unreachable.
   *
   * Money stays in the calendar window that admitted it. A rate window gives back to the sub-window that took it;
   * what was used beyond the reservation counts from now.
   * @param actual in the order of the charges. It can make a bucket negative. Leases are given back whatever it is
   * @param endedAt when the exchange ended by its row in the ledger, in unix milliseconds: a budget whose baseline
   *   contains it counts it no second time. Absent: no baseline contains it
   * @returns the state of the calendar buckets; undefined if there is no such reservation
   */
  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
    endedAt?: number,
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined>;
  /** Extends the leases of these reservations. */
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void>;
  /** Returns the states of the buckets, and changes nothing. The amounts of the charges are ignored. */
  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]>;
  /** Replaces the baselines of windows by those of the charges, which have the same spans. */
  renew(tenant: string, charges: readonly Charge[]): void | Promise<void>;
}

/** The store of all hosts. */
export interface SharedStore extends LimitStore {
  /**
   * Counts once for its id what an exchange has spent that a host had admitted alone, or whose reservation is lost.
   * @param isUncertain its settlement was sent without a reply: the ledger is read again, and it counts by itself only
   * if the count is lost
   */
  debit(tenant: string, id: string, debits: Debits, isUncertain?: boolean): Promise<void>;
}
