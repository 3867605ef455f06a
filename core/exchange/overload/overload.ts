import type { Caller } from '../../contracts/caller.ts';
import type { Work } from '../../contracts/exchange.ts';
import type { Log, Metrics } from '../../contracts/services.ts';
import type { JsonLayout } from '../../framing/json-layout.ts';
import { EXCHANGES, HostLoad } from '../../services/shared-memory/host-load.ts';
import type { BodyMeter, UploadHold } from '../client-connection.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { memoryOf } from './body-memory.ts';
import { refuseMemory, refuseSteps, Shed } from './shed.ts';
import { UploadBudget, type UploadLimits } from './uploads.ts';
import { ageSteps, type KeyUse, type Use } from './use.ts';

/** Limits of one thread; those of exchanges and uploads are of the host. */
export interface OverloadLimits extends UploadLimits {
  /** Exchanges open at once on this host. */
  readonly inFlight: number;
  /** Milliseconds of event loop lag, in two measurements in a row, from which new exchanges are refused. */
  readonly lag: number;
  /** Bytes of memory that the bodies of open exchanges take. */
  readonly memory: number;
  /** Steps of computation within the last seconds. */
  readonly steps: number;
  /** The share of each of these but `lag` that one key can hold while no other calls: above 0, at most 1. */
  readonly perKey: number;
}

/** The share of the process that one exchange holds for its key. */
export interface KeyHold extends BodyMeter, Work {
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
  /**
   * Counts a form of a held exchange, before it is read.
   * @throws GatewayError `overloaded`, `rate_limit_exceeded`
   */
  openUpload(caller: Caller): UploadHold;
  /** Counts and logs a connection that was closed at once because there were too many. */
  refuseConnection(reason: 'connections' | 'connections_per_address'): void;
  /** Replaces the limits from now on. */
  adopt(limits: OverloadLimits): void;
  /** Takes a measurement of the event loop lag, in milliseconds; ten per second while there is no lag. */
  observeLag(ms: number): void;
}

/** For requests that are not served, such as samples. */
export const unmetered: Work = { spend: () => {} };

/** One late measurement can come from one heavy request; two in a row mean that the process is overloaded. */
const LATE_IN_A_ROW = 2;
/** Lag that is logged. */
const BLOCKED_MS = 250;
/** A smaller share of all steps no longer counts. */
const FEW_STEPS = 0.001;

/**
 * The dynamic threshold of a key, as a multiple of the free capacity: a key that holds more than this gets no more. A
 * key that calls alone can hold `perKey` of the capacity, the more keys call the less each, and there is always some
 * left for one more key. https://doi.org/10.1109/90.664262
 */
const thresholdOf = ({ perKey }: OverloadLimits): number => perKey / (1 - perKey);

const nameOf = ({ organization, project, key }: Caller): string => `${organization}/${project}/${key}`;

/** Refuses new work while a limit is reached. Nothing is queued. */
class OverloadLimiter implements Overload {
  readonly all: Use = { memory: 0, steps: 0, stepsAt: 0 };
  readonly load: HostLoad;
  readonly shed: Shed;
  readonly now: () => number;
  readonly countSteps: (steps: number) => void;
  limits: OverloadLimits;
  threshold: number;
  readonly #keys = new Map<string, KeyUse>();
  /** Keys without open exchanges, whose steps still count. */
  readonly #fading = new Set<string>();
  readonly #uploads: UploadBudget;
  readonly #showMemory: (bytes: number) => void;
  readonly #showLimit: (bytes: number) => void;
  #late = 0;

  constructor(limits: OverloadLimits, log: Log, metrics: Metrics, now: () => number, load: HostLoad) {
    this.limits = limits;
    this.load = load;
    this.threshold = thresholdOf(limits);
    this.now = now;
    this.shed = new Shed(log, metrics, now);
    this.#uploads = new UploadBudget(this.shed, metrics, load);
    this.countSteps = metrics.counter('koine_steps_total', 'Steps of computation for requests.', []).bind([]);
    const gauge = (name: string, help: string) => metrics.gauge(name, help, [], 'sum').bind([]);
    this.#showMemory = gauge('koine_body_memory_bytes', 'Memory that the bodies of open requests take, as counted.');
    this.#showLimit = gauge('koine_body_memory_limit_bytes', 'The memory from which bodies are refused.');
    this.#showLimit(limits.memory);
  }

  /** Open exchanges of this host. */
  get inFlight(): number {
    return this.load.sum(EXCHANGES);
  }

  enter = (): true => {
    const { inFlight } = this;
    if (inFlight >= this.limits.inFlight) throw this.shed.refuse('in_flight', inFlight);
    if (this.#late >= LATE_IN_A_ROW) throw this.shed.refuse('lag', inFlight);
    this.load.add(EXCHANGES, 1);
    return true;
  };

  leave = (): void => {
    this.load.add(EXCHANGES, -1);
  };

  hold = (caller: Caller): KeyHold => {
    const name = nameOf(caller);
    let use = this.#keys.get(name);
    if (use === undefined) this.#keys.set(name, (use = this.#open(name)));
    const { inFlight, load } = this;
    // The exchange itself is already counted in all.
    const free = this.limits.inFlight - inFlight + 1;
    if (load.sum(use.place) > this.threshold * free) throw this.shed.refuseKey('key_in_flight', inFlight, name);
    use.requests += 1;
    load.add(use.place, 1);
    return new Hold(this, name, use);
  };

  openUpload = (caller: Caller): UploadHold =>
    this.#uploads.open(nameOf(caller), this.limits, this.threshold, this.inFlight);

  refuseConnection = (reason: 'connections' | 'connections_per_address'): void =>
    this.shed.note(reason, { inFlight: this.inFlight });

  adopt = (limits: OverloadLimits): void => {
    this.limits = limits;
    this.threshold = thresholdOf(limits);
    this.#showLimit(limits.memory);
  };

  observeLag = (ms: number): void => {
    this.#showMemory(this.all.memory);
    for (const name of this.#fading) this.leaveKey(name);
    this.#late = ms > this.limits.lag ? this.#late + 1 : 0;
    if (ms < BLOCKED_MS) return;
    const text = 'the event loop was blocked: a computation ran too long without a pause';
    this.shed.warn({ ms: Math.round(ms), inFlight: this.inFlight }, text);
  };

  #open(name: string): KeyUse {
    return { requests: 0, memory: 0, steps: 0, stepsAt: 0, place: this.load.placeOf('requests', name) };
  }

  /** Forgets a key without open exchanges as soon as it has computed next to nothing in the last seconds. */
  leaveKey(name: string): void {
    const use = this.#keys.get(name);
    if (use?.requests === 0) {
      const isFading = use.steps > 0 && ageSteps(use, this.now()) > this.limits.steps * FEW_STEPS;
      if (isFading) return void this.#fading.add(name);
      this.#keys.delete(name);
    }
    this.#fading.delete(name);
  }
}

/** What one exchange holds, for its key and in all. */
class Hold implements KeyHold {
  readonly #limiter: OverloadLimiter;
  readonly #name: string;
  readonly #use: KeyUse;
  #memory = 0;
  #steps = 0;

  constructor(limiter: OverloadLimiter, name: string, use: KeyUse) {
    this.#limiter = limiter;
    this.#name = name;
    this.#use = use;
  }

  take(bytes: number, layout?: JsonLayout): void {
    const { limits, threshold, all } = this.#limiter;
    const memory = memoryOf(bytes, layout);
    const own = this.#memory + memory;
    if (own > limits.memory * limits.perKey) throw refuseMemory(own, limits.memory * limits.perKey);
    const free = limits.memory - all.memory - memory;
    if (free < 0) throw this.#refuse('memory');
    const held = this.#use.memory + memory;
    if (held > threshold * free) throw this.#refuseKey('key_memory');
    this.#use.memory = held;
    all.memory += memory;
    this.#memory = own;
  }

  spend(steps: number): void {
    const { limits, threshold, all, now, countSteps } = this.#limiter;
    if (this.#steps + steps > limits.steps * limits.perKey) throw refuseSteps();
    const at = now();
    const free = limits.steps - ageSteps(all, at) - steps;
    const held = ageSteps(this.#use, at) + steps;
    if (free < 0) throw this.#refuse('steps');
    if (held > threshold * free) throw this.#refuseKey('key_steps');
    this.#use.steps = held;
    all.steps += steps;
    this.#steps += steps;
    countSteps(steps);
  }

  release(): void {
    const use = this.#use;
    use.requests -= 1;
    this.#limiter.load.add(use.place, -1);
    use.memory -= this.#memory;
    this.#limiter.all.memory -= this.#memory;
    if (use.requests === 0) this.#limiter.leaveKey(this.#name);
  }

  #refuse(reason: 'memory' | 'steps'): GatewayError {
    const { shed, inFlight } = this.#limiter;
    return shed.refuse(reason, inFlight);
  }

  #refuseKey(reason: 'key_memory' | 'key_steps'): GatewayError {
    const { shed, inFlight } = this.#limiter;
    return shed.refuseKey(reason, inFlight, this.#name);
  }
}

/** @param load what all threads of the process hold */
export const createOverload = (
  limits: OverloadLimits,
  log: Log,
  metrics: Metrics,
  now: () => number,
  load = new HostLoad(),
): Overload => new OverloadLimiter(limits, log, metrics, now, load);
