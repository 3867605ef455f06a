import type { Work } from '../contracts/exchange.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BodyMeter } from './client-connection.ts';

/** Limits of what the open exchanges of one process hold. */
export interface HoldLimits {
  /** Bytes of the bodies of open exchanges. */
  readonly bodyBytes: number;
  /** Steps of computation within the last seconds. */
  readonly steps: number;
  /** The share of each that one key can hold while no other key calls: above 0, at most 1. */
  readonly perKey: number;
}

/** The share of the process that one exchange holds for its key. */
export interface KeyHold extends BodyMeter, Work {
  /** Counts bytes of the body. @throws GatewayError `overloaded`, `rate_limit_exceeded` */
  take(bytes: number): void;
  /** The exchange has been settled. */
  release(): void;
}

/** For requests that are not served, such as samples. */
export const unmetered: Work = { spend: () => {} };

/** What open exchanges hold together: those of one key, or all. */
export interface Use {
  requests: number;
  bytes: number;
  /** Steps of the last seconds, as they counted at `stepsAt`, in monotonic milliseconds. */
  steps: number;
  stepsAt: number;
}

/** The process, as its holds see it. */
export interface HoldOwner {
  readonly limits: HoldLimits;
  readonly all: Use;
  now(): number;
  refuse(reason: 'body_bytes' | 'steps'): GatewayError;
  refuseKey(reason: 'key_body_bytes' | 'key_steps', name: string, use: Use): GatewayError;
  spent(steps: number): void;
  /** An exchange of the key has ended. */
  ended(name: string, use: Use): void;
}

/** Steps count as 1/e of their number after this time, so that one key cannot keep the process busy. */
const STEPS_SPAN_MS = 10_000;

/**
 * The dynamic threshold of a key, as a multiple of the free capacity: a key that holds more than this gets no more. A
 * key that calls alone can hold `perKey` of the capacity, the more keys call the less each, and there is always some
 * left for one more key. https://doi.org/10.1109/90.664262
 */
export const thresholdOf = ({ perKey }: Pick<HoldLimits, 'perKey'>): number => perKey / (1 - perKey);

const ageSteps = (use: Use, now: number): number => {
  if (use.steps > 0) use.steps *= Math.exp((use.stepsAt - now) / STEPS_SPAN_MS);
  use.stepsAt = now;
  return use.steps;
};

const refuseSteps = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    'Checking this request needs more computation than one request may take (server.overload.steps). ' +
      'Send less text in one request.',
  );

/** What one exchange holds. */
export class Hold implements KeyHold {
  readonly #owner: HoldOwner;
  readonly #name: string;
  readonly #use: Use;
  #bytes = 0;
  #steps = 0;

  constructor(owner: HoldOwner, name: string, use: Use) {
    this.#owner = owner;
    this.#name = name;
    this.#use = use;
  }

  take(bytes: number): void {
    const { limits, all } = this.#owner;
    const free = limits.bodyBytes - all.bytes;
    if (bytes > free) throw this.#owner.refuse('body_bytes');
    if (this.#use.bytes > thresholdOf(limits) * free)
      throw this.#owner.refuseKey('key_body_bytes', this.#name, this.#use);
    this.#use.bytes += bytes;
    all.bytes += bytes;
    this.#bytes += bytes;
  }

  spend(steps: number): void {
    const { limits, all } = this.#owner;
    if (this.#steps + steps > limits.steps * limits.perKey) throw refuseSteps();
    const now = this.#owner.now();
    const free = limits.steps - ageSteps(all, now) - steps;
    const held = ageSteps(this.#use, now) + steps;
    if (free < 0) throw this.#owner.refuse('steps');
    if (held > thresholdOf(limits) * free) throw this.#owner.refuseKey('key_steps', this.#name, this.#use);
    this.#use.steps = held;
    all.steps += steps;
    this.#steps += steps;
    this.#owner.spent(steps);
  }

  release(): void {
    this.#use.requests -= 1;
    this.#use.bytes -= this.#bytes;
    this.#owner.all.bytes -= this.#bytes;
    this.#owner.ended(this.#name, this.#use);
  }
}
