import type { Target } from '../../../core/index.ts';
import type { Identity } from '../health/callers.ts';
import type { Reaction } from '../reactions.ts';
import type { Candidate } from './arrange.ts';

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

export const createQueue = (candidates: readonly Candidate[], caller: Identity, spareBelow: number): Queue => {
  let left = candidates;
  let later: readonly Candidate[] = [];
  /** Candidates that have refused this exchange: they are asked once more when their cooldown is over. */
  let refused: readonly Candidate[] = [];

  const best = (now: number): Candidate | undefined => {
    let second: Candidate | undefined;
    for (const candidate of left) {
      if (candidate.health.readyAt(caller, now) > now) continue;
      if (candidate.health.whyBehind(caller, now, spareBelow) === undefined) return candidate;
      second ??= candidate;
    }
    return second;
  };
  const soonest = (now: number): Next | undefined => {
    let found: Next | undefined;
    for (const candidate of left) {
      const isRefused = refused.includes(candidate);
      const at = isRefused ? candidate.health.readyAt(caller, now) : candidate.health.lastResortAt(caller, now);
      const waitMs = Math.max(0, at - now);
      if (found !== undefined && found.waitMs <= waitMs) continue;
      found = { candidate, waitMs, isLastResort: !isRefused && !candidate.health.isTripped(caller, now) };
    }
    return found;
  };

  return {
    next: (now) => {
      const usable = best(now);
      if (usable !== undefined) return { candidate: usable, waitMs: 0, isLastResort: false };
      left = [...left, ...later];
      refused = [...refused, ...later];
      later = [];
      return soonest(now);
    },
    drop: (failed, next, last) => {
      left = left.filter((candidate) => (next === 'credential' ? candidate !== failed : candidate.target !== failed.target));
      if (last) later = [...later, failed];
    },
    hasOther: (target, now) => {
      if (left.length < 2) return false;
      for (const other of left) if (other.target !== target && other.health.readyAt(caller, now) <= now) return true;
      return false;
    },
  };
};
