/** How a bucket counts. */
export type BucketKind = 'window' | 'token-bucket' | 'calendar' | 'leases';

/** A hundred years: no token bucket is said to take longer to refill, since that could be neither written as a time nor told to Redis. */
export const LONGEST_REFILL_MS = 3_155_760_000_000;

/** Whose money a bucket counts, as the ledger knows it. */
export interface Account {
  /** The names from the organization down. */
  readonly path: readonly string[];
  /** Patterns of catalog ids. Empty: all. */
  readonly models: readonly string[];
  /** The part of it that is counted here: of a host that counts by itself for a while, less than all. */
  readonly share: number;
}

/** One limit of one scope, as a store sees it; made once per caller, not per request. */
export interface Bucket {
  /**
   * Unique within the tenant and within a request, the same in every process and after every reload. It names kind and length, never the
   * limit's amount: what is counted stays counted when an operator changes the figure.
   */
  readonly key: string;
  readonly kind: BucketKind;
  /** Most that a window, a calendar window or the leases may hold; of a token bucket: its size (`burst`). */
  readonly limit: number;
  /** Of a window its length; of a token bucket the time in which it refills by `rate`. Milliseconds. */
  readonly per: number;
  /** Of a token bucket: what flows in during `per`. */
  readonly rate: number;
  /** false: counted, and never a reason to refuse. */
  readonly enforce: boolean;
  /** Of money: a window that this store has not watched from its beginning begins with what the ledger knows. */
  readonly account?: Account;
}

/** Whole nano-dollars that were spent in the window which began at `since`. */
export interface Baseline {
  readonly since: number;
  readonly amount: number;
}

/** What one request takes from one bucket. */
export interface Charge {
  readonly bucket: Bucket;
  /** At least 0, whole. */
  readonly amount: number;
  /**
   * Of a calendar bucket: the unix milliseconds at which the windows before, at and after now begin, and the end of the last: four, ascending.
   * The store's own clock decides which of the three it is.
   */
  readonly bounds?: readonly number[];
  /** How much of it a crash of the holder does not give back: a request that was made was made; the tokens that it asked for may never have flowed. */
  readonly kept?: number;
  /**
   * Of an account: what had been spent in the window before it is counted here. A window that is counted already does not look at it.
   * `later`: nobody can say now; it is counted without, and asked for again.
   */
  readonly baseline?: Baseline | 'later';
}

export interface ReserveRequest {
  /** Unique for ever. */
  readonly id: string;
  /** The organization: everything of one request lies in one place (a slot of a Redis cluster). */
  readonly tenant: string;
  /** A reservation that is neither settled nor refreshed for so long is released: its holder has crashed. */
  readonly leaseMs: number;
  readonly charges: readonly Charge[];
}

/** Of one bucket after the decision, in the order of the charges. */
export interface BucketState {
  /** May be negative after a debit. */
  readonly remaining: number;
  /** Until it is whole again, or until the next calendar window. Of leases nobody knows: a second while there are any. */
  readonly resetMs: number;
  /** A shadow limit that would have refused. It counts beyond its limit. */
  readonly shadowed: boolean;
  /** Of a calendar bucket: what is used without what is reserved. */
  readonly spent?: number;
  /** Of an account: its window is not counted here yet; what was spent in it is not known. */
  readonly unopened?: Unopened;
}

/** Of which time the ledger is asked. Unix milliseconds. */
export interface Unopened {
  /** When the window began. */
  readonly since: number;
  /** What ended from then on is counted here already. Absent: nothing is. */
  readonly until?: number;
}

/** How a calendar bucket stands after a settlement. */
export interface Spent {
  /** Its index among the charges. */
  readonly charge: number;
  /** When the window began that was charged, in unix milliseconds. */
  readonly start: number;
  readonly spent: number;
}

export interface Decision {
  /** Where a state is unopened nothing was decided: it is false then, and nobody refused. */
  readonly admitted: boolean;
  readonly states: readonly BucketState[];
  /** Of a refusal: the index of the charge that has to wait longest, and how long, in milliseconds. */
  readonly refusedBy?: { readonly charge: number; readonly waitMs: number };
}

/**
 * Counts. One contract, two implementations: a Lua script in Redis and the memory of this process; one test suite runs against both.
 * All or nothing: a refusal leaves every bucket as it was.
 */
export interface LimitStore {
  /** Takes every charge, or none. An amount of 0 takes nothing and is never refused. */
  reserve(request: ReserveRequest): Decision | Promise<Decision>;
  /**
   * Replaces what was reserved by what was used, once: a second settlement, and one of an unknown id, do nothing. What ran out with its lease is
   * settled all the same, up to an hour later: its holder was only away.
   * Money belongs to the calendar window that admitted it. What a rate window is given back leaves the sub-window that took it; what it has to
   * take in addition counts from now.
   * @param actual in the order of the charges; a debit may take a bucket below zero. Leases are given back whatever stands here
   * @returns how the calendar buckets stand; undefined where there was no such reservation
   */
  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined>;
  /** The holders of these reservations are alive. */
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void>;
  /** How the buckets stand; changes nothing. The amounts are not looked at. */
  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]>;
}
