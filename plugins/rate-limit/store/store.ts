/** How a bucket counts. */
export type BucketKind = 'window' | 'token-bucket' | 'calendar' | 'leases';

/** A hundred years: no token bucket is said to take longer to refill, since that could be neither written as a time nor told to Redis. */
export const LONGEST_REFILL_MS = 3_155_760_000_000;

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
  /** true: a crash of the holder does not give it back. A request that was made was made; the tokens that it asked for may never have flowed. */
  readonly keep?: boolean;
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
}

export interface Decision {
  readonly admitted: boolean;
  readonly states: readonly BucketState[];
  /** Of a refusal: the index of the charge that has to wait longest, and how long, in milliseconds. */
  readonly refusedBy?: { readonly charge: number; readonly waitMs: number };
}

/**
 * Counts. One contract, two implementations: a Lua script in Redis and a twin in this process; one test suite runs against both.
 * All or nothing: a refusal leaves every bucket as it was.
 */
export interface LimitStore {
  /** Takes every charge, or none. An amount of 0 takes nothing and is never refused. */
  reserve(request: ReserveRequest): Decision | Promise<Decision>;
  /**
   * Replaces what was reserved by what was used, once: a second settlement, one of a reservation that has run out, and one of an unknown id do nothing.
   * Money belongs to the calendar window that admitted it. What a rate window is given back leaves the sub-window that took it; what it has to
   * take in addition counts from now.
   * @param actual in the order of the charges; a debit may take a bucket below zero. Leases are given back whatever stands here
   * @returns whether the reservation was there
   */
  settle(tenant: string, id: string, actual: readonly number[]): boolean | Promise<boolean>;
  /** The holders of these reservations are alive. */
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void>;
  /** How the buckets stand; changes nothing. The amounts are not looked at. */
  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]>;
}
