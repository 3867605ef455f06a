import type { Exchange, GatewayError } from '../../../core/api/index.ts';
import type { LatencyKind } from '../health/latency.ts';
import type { Queue } from './queue.ts';
import type { Candidate } from './router.ts';

/** The state of one exchange between its attempts. Times are milliseconds. */
export interface Progress {
  readonly exchange: Exchange;
  readonly kind: LatencyKind;
  readonly candidates: readonly Candidate[];
  readonly queue: Queue;
  /** Failed attempts of each candidate; absent: none has failed. */
  failures?: Map<Candidate, number>;
  /** Attempts so far. */
  attempts: number;
  /** How long the exchange can still wait for targets that refuse calls. */
  patienceMs: number;
  /** How long it has waited since the last attempt. */
  waitedMs: number;
  /** Every remaining target refuses calls for longer than the exchange can wait. */
  isRefused: boolean;
  previous?: { readonly candidate: Candidate; readonly error: GatewayError };
  /** The last failure of an upstream. */
  failed?: GatewayError;
  /** The error of the first target that cannot serve the request. */
  unsuitable?: GatewayError;
  /** Tried next, ahead of the queue: its pause is over, or its place in the rate of calls is taken. */
  preferred?: Candidate | undefined;
  /** The exchange has waited for it: its retry has already been taken from the budget. */
  budgeted?: Candidate | undefined;
}

/** Milliseconds until the deadline of the exchange. */
export const remainingMs = ({ exchange }: Progress, deadlineMs: number, now: number): number =>
  exchange.startedAt + deadlineMs - now;
