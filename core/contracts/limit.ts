/** What a limit counts. `cost` in nano-dollars (10⁻⁹ USD); `concurrent` answers that are being made at once. */
export type LimitUnit = 'requests' | 'tokens' | 'inputTokens' | 'outputTokens' | 'cost' | 'concurrent';

/** Calendar windows, in which money is counted. */
export type CalendarWindow = 'hour' | 'day' | 'week' | 'month';

/** One entry of `limits` or `keyLimits`. */
export interface Limit {
  readonly unit: LimitUnit;
  /** In whole units, at least 1. */
  readonly amount: number;
  /** Milliseconds of a sliding window, a calendar window for `cost`, absent for `concurrent`. */
  readonly per?: number | CalendarWindow;
  /** Chooses a token bucket of this size, refilled by `amount` in `per`. */
  readonly burst?: number;
  /** Of `cost`: shares of the amount (0.8 is four fifths) of which operators are told when they are spent. Ascending. */
  readonly soft?: readonly number[];
  /** Patterns of catalog ids: only their exchanges count. Empty: all. */
  readonly models: readonly string[];
  /** false: a shadow limit, which counts and refuses nothing. */
  readonly enforce: boolean;
  /** What holds while the shared store cannot be asked; absent: what the rate-limit plugin says. */
  readonly onStoreFailure?: StoreFailurePolicy;
}

/** `local`: this host counts by itself; `allow`: the limit does not hold; `deny`: 503. */
export type StoreFailurePolicy = 'local' | 'allow' | 'deny';

export type LimitScope = 'key' | 'project' | 'organization';

/** The limits of one level above (or of) a caller. */
export interface CallerScope {
  readonly scope: LimitScope;
  /** The names from the organization down: `['acme', 'web', 'alice']` for a key. */
  readonly path: readonly string[];
  readonly limits: readonly Limit[];
}
