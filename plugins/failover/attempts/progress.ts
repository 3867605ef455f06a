import type { Exchange, GatewayError } from '../../../core/index.ts';
import type { Candidate } from './router.ts';
import type { Queue } from './queue.ts';

/** One exchange on its way from candidate to candidate. Times are milliseconds. */
export interface Journey {
  readonly exchange: Exchange;
  readonly stream: boolean;
  readonly candidates: readonly Candidate[];
  readonly queue: Queue;
  /** Failed attempts of each candidate; absent: none has failed. */
  tries?: Map<Candidate, number>;
  /** Attempts that were made. */
  made: number;
  /** How long it may still wait for targets that refuse calls. */
  patienceMs: number;
  /** Waited since the last attempt. */
  waitedMs: number;
  /** Whatever is left refuses calls for longer than the exchange may wait. */
  isRefused: boolean;
  previous?: { readonly candidate: Candidate; readonly error: GatewayError };
  /** The last failure of an upstream. */
  failed?: GatewayError;
  /** That of the first target that cannot carry the request. */
  unsuitable?: GatewayError;
  /** Comes next whatever the queue says: its pause is over, or a call to it has been counted. */
  granted?: Candidate | undefined;
  /** Waited for, with a retry that has been taken from the budget. */
  paid?: Candidate | undefined;
}

/** Until the deadline of the exchange. */
export const leftMs = ({ exchange }: Journey, deadlineMs: number, now: number): number =>
  exchange.startedAt + deadlineMs - now;
