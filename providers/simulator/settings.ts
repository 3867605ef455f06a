import type { ErrorCode, Finish, Usage } from '../../core/index.ts';

/** When a fault strikes: before anything is sent, or after so many deltas (0: after the frames that open a stream). */
export type Moment = 'before' | number;

export interface Fault {
  /** `error`: the wire's error event · `cut`: the bytes just end · `reset`: the connection breaks · `hang`: nothing more comes. */
  readonly kind: 'error' | 'cut' | 'reset' | 'hang';
  readonly at: Moment;
}

/** How one answer is to be: the configuration, overridden by the model's name, overridden by the last user text. */
export interface Settings {
  /** Milliseconds between deltas. */
  readonly pace: number;
  readonly words: number;
  /** Milliseconds before the answer begins. */
  readonly delay: number;
  readonly status?: number;
  readonly code?: ErrorCode;
  readonly message?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly fault?: Fault;
  readonly refusal?: boolean;
  readonly finish?: Finish['reason'];
  /** `false`: the answer does not say what it used. */
  readonly usage?: boolean;
  /** Counts that are reported whatever was really used, for tests of billing. */
  readonly pinned?: Partial<
    Pick<Usage, 'inputUncached' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'output' | 'reasoning'>
  >;
}
