import { readDuration } from '../../../core/api/index.ts';
import type { FailoverOptions } from './schema.ts';

/** The options with lengths of time in milliseconds. */
export interface Settings extends Omit<
  FailoverOptions,
  'deadline' | 'moveOn' | 'wait' | 'backoff' | 'cooldown' | 'circuit'
> {
  readonly deadlineMs: number;
  /** How long an attempt can take until its response begins, while another target is left. */
  readonly moveOn: {
    readonly streamedMs: number;
    readonly plainMs: number;
    /** This many times the 99th percentile of a target, if that is earlier; 0: never. */
    readonly times: number;
    readonly leastMs: { readonly streamed: number; readonly plain: number };
  };
  readonly waitMs: number;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  readonly cooldown: { readonly rateLimitMs: number; readonly quotaMs: number };
  readonly circuit: CircuitRules;
}

export interface CircuitRules {
  readonly windowMs: number;
  readonly calls: number;
  readonly failures: number;
  /** Failures in a row that open it; 0: none do. */
  readonly consecutive: number;
  readonly openMs: number;
  readonly longestMs: number;
  readonly probes: number;
  /** A client that leaves after waiting this long counts as a failure of the target. */
  readonly slowMs: number;
}

export const readSettings = ({
  deadline,
  moveOn,
  wait,
  backoff,
  cooldown,
  circuit,
  ...others
}: FailoverOptions): Settings => ({
  ...others,
  deadlineMs: readDuration(deadline),
  moveOn: {
    streamedMs: readDuration(moveOn.streamed),
    plainMs: readDuration(moveOn.plain),
    times: moveOn.times,
    leastMs: { streamed: readDuration(moveOn.least.streamed), plain: readDuration(moveOn.least.plain) },
  },
  waitMs: readDuration(wait),
  backoff: { baseMs: readDuration(backoff.base), capMs: readDuration(backoff.cap) },
  cooldown: { rateLimitMs: readDuration(cooldown.rateLimit), quotaMs: readDuration(cooldown.quota) },
  circuit: {
    windowMs: readDuration(circuit.window),
    calls: circuit.calls,
    failures: circuit.failures,
    consecutive: circuit.consecutive,
    openMs: readDuration(circuit.open),
    longestMs: readDuration(circuit.longest),
    probes: circuit.probes,
    slowMs: readDuration(circuit.slow),
  },
});
