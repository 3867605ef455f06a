import type { AnyErrorCode, Finish, Usage } from '../../core/api/index.ts';

/**
 * When a fault occurs: before anything is sent, or after a number of deltas (0: after the first frames of a stream).
 */
export type Moment = 'before' | number;

export interface Fault {
  /**
   * `error`: the wire's error event. `cut`: the bytes end. `reset`: the connection breaks. `hang`: nothing more is
   * sent.
   */
  readonly kind: 'error' | 'cut' | 'reset' | 'hang';
  readonly at: Moment;
}

/** Settings of one response: the configuration, overridden by the model's name, overridden by the last user text. */
export interface Settings {
  /** Milliseconds between deltas. */
  readonly pace: number;
  readonly words: number;
  /** Milliseconds before the response begins. */
  readonly delay: number;
  readonly status?: number;
  readonly code?: AnyErrorCode;
  readonly message?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly fault?: Fault;
  readonly refusal?: boolean;
  readonly finish?: Finish['reason'];
  /** `false`: the response reports no usage. */
  readonly usage?: boolean;
  /** Counts to report instead of the real ones, for tests of billing. */
  readonly pinned?: Partial<
    Pick<Usage, 'inputUncached' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'output' | 'reasoning'>
  >;
}
