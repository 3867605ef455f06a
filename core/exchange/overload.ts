import type { Caller } from '../contracts/caller.ts';
import type { Metrics } from '../contracts/services.ts';
import type { Log } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BodyMeter } from './client-connection.ts';

/** Limits of one process. */
export interface OverloadLimits {
  /** Exchanges open at once. */
  readonly inFlight: number;
  /** Milliseconds of event loop lag, in two measurements in a row, from which new exchanges are refused. */
  readonly lag: number;
  /** Bytes of the bodies of open exchanges. */
  readonly bodyBytes: number;
  /** The share of `inFlight` and `bodyBytes` that one key can hold while no other key calls: above 0, at most 1. */
  readonly perKey: number;
}

/** The share of the process that one exchange holds for its key. */
export interface KeyHold extends BodyMeter {
  /** Counts bytes of the body. @throws GatewayError `overloaded`, `rate_limit_exceeded` */
  take(bytes: number): void;
  /** The exchange has been settled. */
  release(): void;
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
  'key_in_flight',
  'key_body_bytes',
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
};

/** What all open exchanges of one key hold together. */
interface KeyUse {
  requests: number;
  bytes: number;
}

/**
 * The dynamic threshold of a key, as a multiple of the free capacity: a key that holds more than this gets no more. A
 * key that calls alone can hold `perKey` of the capacity, the more keys call the less each, and there is always some
 * left for one more key. https://doi.org/10.1109/90.664262
 */
const thresholdOf = ({ perKey }: OverloadLimits): number => perKey / (1 - perKey);

/** Refuses new work while a limit is reached. Nothing is queued, and nothing that has entered is refused. */
class OverloadGuard implements Overload {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #count: Counters;
  readonly #loggedAt = new Map<string, number>();
  readonly #keys = new Map<string, KeyUse>();
  #limits: OverloadLimits;
  #open = 0;
  #bytes = 0;
  #late = 0;

  constructor(limits: OverloadLimits, log: Log, metrics: Metrics, now: () => number) {
    this.#limits = limits;
    this.#log = log;
    this.#now = now;
    const help = 'Requests and connections refused because the process was overloaded.';
    const shed = metrics.counter('koine_shed_total', help, ['reason']);
    this.#count = Object.fromEntries(reasons.map((reason) => [reason, shed.bind([reason])])) as Counters;
  }

  enter = (): true => {
    if (this.#open >= this.#limits.inFlight) throw this.#refuse('in_flight');
    if (this.#late >= LATE_IN_A_ROW) throw this.#refuse('lag');
    this.#open += 1;
    return true;
  };

  leave = (): void => {
    this.#open -= 1;
  };

  hold = ({ organization, project, key }: Caller): KeyHold => {
    const name = `${organization}/${project}/${key}`;
    let use = this.#keys.get(name);
    if (use === undefined) this.#keys.set(name, (use = { requests: 0, bytes: 0 }));
    // The exchange itself is already counted in #open.
    const free = this.#limits.inFlight - this.#open + 1;
    if (use.requests > thresholdOf(this.#limits) * free) throw this.#refuseKey('key_in_flight', name, use);
    use.requests += 1;
    return new Hold(this, name, use);
  };

  refuseConnection = (reason: 'connections' | 'connections_per_address'): void => this.#note(reason);

  adopt = (limits: OverloadLimits): void => {
    this.#limits = limits;
  };

  observeLag = (ms: number): void => {
    this.#late = ms > this.#limits.lag ? this.#late + 1 : 0;
    if (ms < BLOCKED_MS) return;
    const text = 'the event loop was blocked: a computation ran too long without a pause';
    this.#warn({ ms: Math.round(ms), inFlight: this.#open }, text);
  };

  /** @throws GatewayError `overloaded`, `rate_limit_exceeded` */
  takeBytes(name: string, use: KeyUse, bytes: number): void {
    const free = this.#limits.bodyBytes - this.#bytes;
    if (bytes > free) throw this.#refuse('body_bytes');
    if (use.bytes > thresholdOf(this.#limits) * free) throw this.#refuseKey('key_body_bytes', name, use);
    use.bytes += bytes;
    this.#bytes += bytes;
  }

  release(name: string, use: KeyUse, bytes: number): void {
    use.requests -= 1;
    use.bytes -= bytes;
    this.#bytes -= bytes;
    this.#forget(name, use);
  }

  #forget(name: string, { requests }: KeyUse): void {
    if (requests === 0) this.#keys.delete(name);
  }

  #refuse(reason: Reason): GatewayError {
    this.#note(reason);
    return new GatewayError('overloaded', undefined, { retryAfterMs: RETRY_AFTER_MS });
  }

  #refuseKey(reason: Reason, name: string, use: KeyUse): GatewayError {
    this.#forget(name, use);
    this.#note(reason, { key: name });
    return new GatewayError('rate_limit_exceeded', texts[reason], { retryAfterMs: RETRY_AFTER_MS });
  }

  #note(reason: Reason, more: object = {}): void {
    this.#count[reason](1);
    const what = reason.startsWith('connections') ? 'connections' : 'requests';
    this.#warn({ reason, inFlight: this.#open, ...more }, `overloaded: ${what} are refused`);
  }

  #warn(fields: object, text: string): void {
    const at = this.#now();
    if (at - (this.#loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAt.set(text, at);
    this.#log.warn(fields, text);
  }
}

class Hold implements KeyHold {
  readonly #guard: OverloadGuard;
  readonly #name: string;
  readonly #use: KeyUse;
  #bytes = 0;

  constructor(guard: OverloadGuard, name: string, use: KeyUse) {
    this.#guard = guard;
    this.#name = name;
    this.#use = use;
  }

  take(bytes: number): void {
    this.#guard.takeBytes(this.#name, this.#use, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#guard.release(this.#name, this.#use, this.#bytes);
  }
}

export const createOverload = (limits: OverloadLimits, log: Log, metrics: Metrics, now: () => number): Overload =>
  new OverloadGuard(limits, log, metrics, now);
