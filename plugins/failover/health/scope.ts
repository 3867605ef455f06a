import type { Random } from '../attempts/backoff.ts';
import { isTripped } from './reactions.ts';
import type { CircuitRules } from '../config/settings.ts';
import { Circuit } from './circuit.ts';
import { createRest, type Rest } from './cooldown.ts';
import { createThrottle, type Throttle } from './throttle.ts';
import type { Count } from './window.ts';

/** The state of a credential as it holds for all callers, or for one. */
export interface Scope {
  readonly circuit: Circuit;
  /** Used after all others until it is over. */
  readonly cooling: Rest;
  /** Used after those that are well until it is over. */
  readonly behind: Rest;
  readonly throttle: Throttle;
}

export interface ScopeParts {
  readonly rules: () => CircuitRules;
  readonly random: Random;
  readonly changed: (now: number) => void;
  readonly leaveOut?: (now: number) => Count;
}

export const createScope = (parts: ScopeParts): Scope => ({
  circuit: new Circuit(parts),
  cooling: createRest(),
  behind: createRest(),
  throttle: createThrottle(parts.rules),
});

/** When to look again while probes are in flight. */
const PROBE_MS = 100;

const passesAt = (circuit: Circuit, now: number): number => circuit.until(now) ?? now + PROBE_MS;

/** From when on it is used like any other: `now` or earlier where it is now. */
export const readyAt = ({ circuit, cooling }: Scope, now: number): number =>
  Math.max(cooling.until, passesAt(circuit, now));

/** From when on it is used where nothing else is left. */
export function lastResortAt(scope: Scope, now: number): number {
  if (readyAt(scope, now) <= now) return now;
  const { circuit, throttle } = scope;
  return circuit.state !== 'closed' && isTripped(circuit.reason) ? passesAt(circuit, now) : throttle.at();
}

/** One call is made to it although it is not ready. */
export function takeLastResort(scope: Scope, now: number, at: number): void {
  if (readyAt(scope, now) > now) scope.throttle.take(at);
}

/** What a client waits, at least, before it tries a target again that refuses calls. */
const RETRY_MS = 1_000;

/** When a client may expect an answer: the vendor's own word counts where nearly every recent call was refused. */
export function comesBackAt(scope: Scope, now: number): number {
  if (readyAt(scope, now) <= now) return now;
  const at = Math.max(now + RETRY_MS, lastResortAt(scope, now));
  return scope.throttle.isSlowest ? Math.max(at, scope.cooling.until) : at;
}
