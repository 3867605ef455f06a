import type { Log, Metrics } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';

/** Of one process. */
export interface OverloadLimits {
  /** Exchanges open at once. */
  readonly inFlight: number;
  /** Milliseconds by which the event loop may keep being late. */
  readonly lag: number;
}

export interface Overload {
  /**
   * An exchange begins, before anything is read of it.
   * @returns to be called when it has been settled
   * @throws GatewayError `overloaded`
   */
  enter(): () => void;
  /** A connection more than there may be was closed as it came. */
  refuseConnection(): void;
  /** These hold from now on. */
  adopt(limits: OverloadLimits): void;
  /** By how many milliseconds the event loop is late, told ten times a second where it is not. */
  observeLag(ms: number): void;
}

/** Once late may have been one heavy request; a loop that is late again at the next look has more to do than it can. */
const LATE_IN_A_ROW = 2;
/** Milliseconds: a loop that was late by so much is worth a line in the log, and one line in so many is enough. */
const STOOD_STILL = 250;
const QUIET = 5_000;
const RETRY_AFTER = 1_000;

type Reason = 'in_flight' | 'lag' | 'connections';

/** Refuses what would come on top of too much, and nothing as soon as it is less again. */
export const createOverload = (first: OverloadLimits, log: Log, metrics: Metrics, now: () => number): Overload => {
  const shed = metrics.counter('koine_shed_total', 'Requests refused because the process was overloaded.', ['reason']);
  const count: Readonly<Record<Reason, (value: number) => void>> = { in_flight: shed.bind(['in_flight']), lag: shed.bind(['lag']), connections: shed.bind(['connections']) };
  let limits = first;
  let open = 0;
  let late = 0;
  const saidAt = new Map<string, number>();

  const warn = (fields: object, text: string): void => {
    const at = now();
    if (at - (saidAt.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET) return;
    saidAt.set(text, at);
    log.warn(fields, text);
  };
  const note = (reason: Reason): void => {
    count[reason](1);
    warn({ reason, inFlight: open }, `overloaded: ${reason === 'connections' ? 'connections' : 'requests'} are refused`);
  };
  const refuse = (reason: Reason): GatewayError => {
    note(reason);
    return new GatewayError('overloaded', undefined, { retryAfterMs: RETRY_AFTER });
  };
  const leave = (): void => {
    open -= 1;
  };
  return {
    enter: () => {
      if (open >= limits.inFlight) throw refuse('in_flight');
      if (late >= LATE_IN_A_ROW) throw refuse('lag');
      open += 1;
      return leave;
    },
    adopt: (next) => {
      limits = next;
    },
    refuseConnection: () => note('connections'),
    observeLag: (ms) => {
      late = ms > limits.lag ? late + 1 : 0;
      if (ms >= STOOD_STILL) warn({ ms: Math.round(ms), inFlight: open }, 'the event loop stood still: something computed for so long without a pause');
    },
  };
};
