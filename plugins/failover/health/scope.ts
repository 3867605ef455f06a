import { Circuit, type CircuitParts } from './circuit.ts';
import { isTripped } from './reactions.ts';
import { Throttle } from './throttle.ts';

/** A time during which a credential is not used, or not used first. Monotonic milliseconds. */
class Cooldown {
  #until = 0;
  #reason = '';

  get until(): number {
    return this.#until;
  }

  get reason(): string {
    return this.#reason;
  }

  /** Never shortens it: the later end counts. Returns whether it has become longer. */
  extend(until: number, reason: string): boolean {
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = reason;
    return true;
  }
}

/** The state of a credential, for all callers or for one. */
export interface Scope {
  readonly circuit: Circuit;
  /** Until it is over, the credential is used after all others. */
  readonly cooldown: Cooldown;
  /** Until it is over, the credential is used after those that are ready. */
  readonly behind: Cooldown;
  readonly throttle: Throttle;
}

export const createScope = (parts: CircuitParts): Scope => ({
  circuit: new Circuit(parts),
  cooldown: new Cooldown(),
  behind: new Cooldown(),
  throttle: new Throttle(parts.rules),
});

/** While probes are in flight the circuit is checked again after this time. */
const PROBE_MS = 100;

const passesAt = (circuit: Circuit, now: number): number => circuit.until(now) ?? now + PROBE_MS;

/** From when on it is used normally: `now` or earlier if it is ready. */
export const readyAt = ({ circuit, cooldown }: Scope, now: number): number =>
  Math.max(cooldown.until, passesAt(circuit, now));

/** From when on it is used if nothing else is left. */
export function lastResortAt(scope: Scope, now: number): number {
  if (readyAt(scope, now) <= now) return now;
  const { circuit, throttle } = scope;
  return circuit.state !== 'closed' && isTripped(circuit.reason) ? passesAt(circuit, now) : throttle.at();
}

/** Records a call that is made although it is not ready. */
export function takeLastResort(scope: Scope, now: number, at: number): void {
  if (readyAt(scope, now) > now) scope.throttle.take(at);
}

/** The least time that a client waits before it tries a target again that refuses calls. */
const RETRY_MS = 1_000;

/** When a client can expect a response. If nearly every recent call was refused, the cooldown of the vendor counts. */
export function recoversAt(scope: Scope, now: number): number {
  if (readyAt(scope, now) <= now) return now;
  const at = Math.max(now + RETRY_MS, lastResortAt(scope, now));
  return scope.throttle.isSlowest ? Math.max(at, scope.cooldown.until) : at;
}
