import type { Caller } from '../contracts/caller.ts';
import type { Metrics } from '../contracts/services.ts';
import type { Log } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { Hold, thresholdOf, type HoldLimits, type HoldOwner, type KeyHold, type Use } from './hold.ts';

/** Limits of one process. */
export interface OverloadLimits extends HoldLimits {
  /** Exchanges open at once. */
  readonly inFlight: number;
  /** Milliseconds of event loop lag, in two measurements in a row, from which new exchanges are refused. */
  readonly lag: number;
}

export interface Overload {
  /**
   * Counts a new exchange, before anything of it is read.
   * @returns true: `leave` must be called after it has been settled
   * @throws GatewayError `overloaded`
   */
  enter(): true;
  leave(): void;
  /**
   * Counts an entered exchange for its key, before its body is read.
   * @throws GatewayError `rate_limit_exceeded`
   */
  hold(caller: Caller): KeyHold;
  /** Counts and logs a connection that was closed at once because there were too many. */
  refuseConnection(reason: 'connections' | 'connections_per_address'): void;
  /** Replaces the limits from now on. */
  adopt(limits: OverloadLimits): void;
  /** Takes a measurement of the event loop lag, in milliseconds; ten per second while there is no lag. */
  observeLag(ms: number): void;
}

/** One late measurement can come from one heavy request; two in a row mean that the process is overloaded. */
const LATE_IN_A_ROW = 2;
/** Lag that is logged. */
const BLOCKED_MS = 250;
/** Time between two log lines of the same kind. */
const LOG_EVERY_MS = 5_000;
const RETRY_AFTER_MS = 1_000;

const reasons = [
  'in_flight',
  'lag',
  'body_bytes',
  'steps',
  'key_in_flight',
  'key_body_bytes',
  'key_steps',
  'connections',
  'connections_per_address',
] as const;
type Reason = (typeof reasons)[number];
type Counters = Readonly<Record<Reason, (value: number) => void>>;

const texts: Partial<Readonly<Record<Reason, string>>> = {
  key_in_flight:
    'This key has too many open requests: they leave no capacity for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
  key_body_bytes:
    'The bodies of the open requests of this key leave no capacity for other keys (server.overload.perKey).' +
    ' Try again when some of them have ended.',
  key_steps:
    'The requests of this key need so much computation that none is left for other keys (server.overload.perKey).' +
    ' Try again in some seconds.',
};

/** Refuses new work while a limit is reached. Nothing is queued, and nothing that has entered is refused. */
class OverloadGuard implements Overload, HoldOwner {
  readonly all: Use = { requests: 0, bytes: 0, steps: 0, stepsAt: 0 };
  readonly now: () => number;
  readonly spent: (steps: number) => void;
  limits: OverloadLimits;
  readonly #log: Log;
  readonly #count: Counters;
  readonly #loggedAt = new Map<string, number>();
  readonly #keys = new Map<string, Use>();
  #late = 0;

  constructor(limits: OverloadLimits, log: Log, metrics: Metrics, now: () => number) {
    this.limits = limits;
    this.#log = log;
    this.now = now;
    const help = 'Requests and connections refused because the process was overloaded.';
    const shed = metrics.counter('koine_shed_total', help, ['reason']);
    this.spent = metrics.counter('koine_steps_total', 'Steps of computation for requests.', []).bind([]);
    this.#count = Object.fromEntries(reasons.map((reason) => [reason, shed.bind([reason])])) as Counters;
  }

  enter = (): true => {
    if (this.all.requests >= this.limits.inFlight) throw this.refuse('in_flight');
    if (this.#late >= LATE_IN_A_ROW) throw this.refuse('lag');
    this.all.requests += 1;
    return true;
  };

  leave = (): void => {
    this.all.requests -= 1;
  };

  hold = ({ organization, project, key }: Caller): KeyHold => {
    const name = `${organization}/${project}/${key}`;
    let use = this.#keys.get(name);
    if (use === undefined) this.#keys.set(name, (use = { requests: 0, bytes: 0, steps: 0, stepsAt: 0 }));
    // The exchange itself is already counted in all.
    const free = this.limits.inFlight - this.all.requests + 1;
    if (use.requests > thresholdOf(this.limits) * free) throw this.refuseKey('key_in_flight', name, use);
    use.requests += 1;
    return new Hold(this, name, use);
  };

  refuseConnection = (reason: 'connections' | 'connections_per_address'): void => this.#note(reason);

  adopt = (limits: OverloadLimits): void => {
    this.limits = limits;
  };

  observeLag = (ms: number): void => {
    this.#late = ms > this.limits.lag ? this.#late + 1 : 0;
    if (ms < BLOCKED_MS) return;
    const text = 'the event loop was blocked: a computation ran too long without a pause';
    this.#warn({ ms: Math.round(ms), inFlight: this.all.requests }, text);
  };

  ended(name: string, { requests }: Use): void {
    if (requests === 0) this.#keys.delete(name);
  }

  refuse(reason: Reason): GatewayError {
    this.#note(reason);
    return new GatewayError('overloaded', undefined, { retryAfterMs: RETRY_AFTER_MS });
  }

  refuseKey(reason: Reason, name: string, use: Use): GatewayError {
    this.ended(name, use);
    this.#note(reason, { key: name });
    return new GatewayError('rate_limit_exceeded', texts[reason], { retryAfterMs: RETRY_AFTER_MS });
  }

  #note(reason: Reason, more: object = {}): void {
    this.#count[reason](1);
    const what = reason.startsWith('connections') ? 'connections' : 'requests';
    this.#warn({ reason, inFlight: this.all.requests, ...more }, `overloaded: ${what} are refused`);
  }

  #warn(fields: object, text: string): void {
    const at = this.now();
    if (at - (this.#loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAt.set(text, at);
    this.#log.warn(fields, text);
  }
}

export const createOverload = (limits: OverloadLimits, log: Log, metrics: Metrics, now: () => number): Overload =>
  new OverloadGuard(limits, log, metrics, now);
