import type { Target } from '../../../core/index.ts';
import type { Identity } from '../health/callers.ts';
import type { Reaction } from '../health/reactions.ts';
import type { Candidate } from './router.ts';

/** What is tried next. */
export interface Next {
  readonly candidate: Candidate;
  /** Milliseconds until it may be called. */
  readonly waitMs: number;
  /** Nothing is ready: a place in the rate of a target that refuses calls has to be taken. */
  readonly isLastResort: boolean;
}

/** What an exchange may still try. */
export interface Queue {
  /** The best that is ready; where nothing is, the one that may be called soonest. undefined: nothing is left. */
  next(now: number): Next | undefined;
  /** After a failure: what is not worth trying any more goes. @param last comes back when nothing else is left */
  drop(candidate: Candidate, next: Reaction['next'], last: boolean): void;
  /** Is another target ready? */
  hasOther(target: Target, now: number): boolean;
}

class CandidateQueue implements Queue {
  readonly #caller: Identity;
  readonly #spareBelow: number;
  #left: readonly Candidate[];
  #later: readonly Candidate[] = [];
  /** Candidates that have refused this exchange: they are called once more when their cooldown is over. */
  #refused: readonly Candidate[] = [];

  constructor(candidates: readonly Candidate[], caller: Identity, spareBelow: number) {
    this.#left = candidates;
    this.#caller = caller;
    this.#spareBelow = spareBelow;
  }

  next(now: number): Next | undefined {
    const usable = this.#best(now);
    if (usable !== undefined) return { candidate: usable, waitMs: 0, isLastResort: false };
    if (this.#later.length > 0) {
      this.#left = [...this.#left, ...this.#later];
      this.#refused = [...this.#refused, ...this.#later];
      this.#later = [];
    }
    return this.#soonest(now);
  }

  drop(failed: Candidate, next: Reaction['next'], last: boolean): void {
    const isWorthTrying = (candidate: Candidate): boolean =>
      next === 'credential' ? candidate !== failed : candidate.target !== failed.target;
    this.#left = this.#left.filter(isWorthTrying);
    if (last) this.#later = [...this.#later, failed];
  }

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
      const isRefused = this.#refused.includes(candidate);
      const at = isRefused ? health.readyAt(this.#caller, now) : health.lastResortAt(this.#caller, now);
      const waitMs = Math.max(0, at - now);
      if (found !== undefined && found.waitMs <= waitMs) continue;
      found = { candidate, waitMs, isLastResort: !isRefused && !health.isTripped(this.#caller, now) };
    }
    return found;
  }
}

export const createQueue = (candidates: readonly Candidate[], caller: Identity, spareBelow: number): Queue =>
  new CandidateQueue(candidates, caller, spareBelow);
