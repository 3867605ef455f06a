import type { Target } from '../../../core/api/index.ts';
import type { Identity } from '../health/callers.ts';
import type { Reaction } from '../health/reactions.ts';
import type { Candidate } from './router.ts';

/** The candidate to try next. */
export interface Next {
  readonly candidate: Candidate;
  /** Milliseconds until it can be called. */
  readonly waitMs: number;
  /** No candidate is ready: the call needs a place in the rate of a target that refuses calls. */
  readonly isLastResort: boolean;
}

/**
 * When a candidate that has refused an exchange is called once more, if no other is left: when its cooldown is over, or
 * from a time on (monotonic milliseconds), at the rate of calls that it allows.
 */
export type Again = 'cooled' | number;

/** The candidates that an exchange can still try. */
export class Queue {
  readonly #caller: Identity;
  readonly #spareBelow: number;
  #left: readonly Candidate[];
  #later: readonly Candidate[] = [];
  /** When candidates that have refused this exchange are called once more. */
  readonly #again = new Map<Candidate, Again>();

  constructor(candidates: readonly Candidate[], caller: Identity, spareBelow: number) {
    this.#left = candidates;
    this.#caller = caller;
    this.#spareBelow = spareBelow;
  }

  /**
   * The best candidate that is ready. If none is, the one that can be called first. undefined: none is left.
   * @param now monotonic milliseconds
   */
  next(now: number): Next | undefined {
    const usable = this.#best(now);
    if (usable !== undefined) return { candidate: usable, waitMs: 0, isLastResort: false };
    if (this.#later.length > 0) {
      this.#left = [...this.#left, ...this.#later];
      this.#later = [];
    }
    return this.#soonest(now);
  }

  /**
   * Removes what is not worth trying after a failure.
   * @param again the failed candidate comes back when no other is left; absent: it does not
   */
  drop(failed: Candidate, next: Reaction['next'], again?: Again): void {
    const isWorthTrying = (candidate: Candidate): boolean =>
      next === 'credential' ? candidate !== failed : candidate.target !== failed.target;
    this.#left = this.#left.filter(isWorthTrying);
    if (again === undefined) return;
    this.#again.set(failed, again);
    this.#later = [...this.#later, failed];
  }

  /** Whether another target is ready. */
  hasOther(target: Target, now: number): boolean {
    if (this.#left.length < 2) return false;
    for (const other of this.#left)
      if (other.target !== target && other.health.readyAt(this.#caller, now) <= now) return true;
    return false;
  }

  #best(now: number): Candidate | undefined {
    let second: Candidate | undefined;
    for (const candidate of this.#left) {
      if (candidate.health.readyAt(this.#caller, now) > now) continue;
      if (candidate.health.whyBehind(this.#caller, now, this.#spareBelow) === undefined) return candidate;
      second ??= candidate;
    }
    return second;
  }

  #soonest(now: number): Next | undefined {
    let found: Next | undefined;
    for (const candidate of this.#left) {
      const { health } = candidate;
      const again = this.#again.get(candidate);
      const isCooled = again === 'cooled';
      const at = isCooled
        ? health.readyAt(this.#caller, now)
        : Math.max(again ?? 0, health.lastResortAt(this.#caller, now));
      const waitMs = Math.max(0, at - now);
      if (found !== undefined && found.waitMs <= waitMs) continue;
      found = { candidate, waitMs, isLastResort: !isCooled && !health.isTripped(this.#caller, now) };
    }
    return found;
  }
}
