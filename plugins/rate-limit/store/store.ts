/** How a bucket counts. */
export type BucketKind = 'window' | 'token-bucket' | 'calendar' | 'leases';

/** A hundred years. A longer refill could neither be formatted as a date nor passed to Redis. */
export const LONGEST_REFILL_MS = 3_155_760_000_000;

/** The spending that a bucket counts, as the ledger identifies it. */
export interface Account {
  /** The names from the organization down. */
  readonly path: readonly string[];
  /** Patterns of catalog ids. Empty: all. */
  readonly models: readonly string[];
  /** The end user, or the tag, of a budget for each. */
  readonly user?: string;
  readonly tag?: { readonly name: string; readonly value: string };
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

/** What an account had spent, by the ledger, in the window that began at `since`. */
export interface Baseline {
  readonly since: number;
  /** Whole nano-dollars. */
  readonly amount: number;
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
   * For an account: the baseline of the window, used if the window is not counted yet. `later`: the ledger does not
   * respond; the window is counted without a baseline, and the next request reads it again.
   */
  readonly baseline?: Baseline | 'later';
}

export interface ReserveRequest {
  /** Unique forever. */
  readonly id: string;
  /** The organization. Everything of one request is stored together: in one slot of a Redis cluster. */
  readonly tenant: string;
  /** A reservation that is neither settled nor refreshed for this long is released: its process has crashed. */
  readonly leaseMs: number;
  readonly charges: readonly Charge[];
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
  /** For an account whose window has no baseline yet: the span that the ledger has to sum up. */
  readonly missingBaseline?: BaselineSpan;
}

/** The span of time of a baseline. Unix milliseconds. */
export interface BaselineSpan {
  /** When the window began. */
  readonly since: number;
  /** Exchanges that ended from then on are counted here already. Absent: none is. */
  readonly until?: number;
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
 * Counts reservations and settlements. There are two implementations, Lua scripts in Redis and the memory of the
 * primary process; the same tests run against both. A call is all or nothing: a refusal leaves every bucket unchanged.
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
   * @returns the state of the calendar buckets; undefined if there is no such reservation
   */
  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined>;
  /** Extends the leases of these reservations. */
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void>;
  /** Returns the states of the buckets, and changes nothing. The amounts of the charges are ignored. */
  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]>;
}
