import { readyAt, whyBehind } from './health.ts';
import type { Candidate } from './arrange.ts';
import type { Reaction } from './reactions.ts';

/** What an exchange may still try. */
export interface Queue {
  /** The best that can be used now; else the one that can be soonest, and in how many milliseconds. undefined: nothing is left. */
  next(now: number): { readonly candidate: Candidate; readonly waitMs: number } | undefined;
  /** After a failure: what is not worth trying any more goes. @param last comes back when nothing else is left */
  drop(candidate: Candidate, next: Reaction['next'], last: boolean): void;
}

export const createQueue = (candidates: readonly Candidate[], spareBelow: number): Queue => {
  let left = candidates;
  let later: readonly Candidate[] = [];

  const best = (now: number): Candidate | undefined => {
    let second: Candidate | undefined;
    for (const candidate of left) {
      if (readyAt(candidate.health, now) > now) continue;
      if (whyBehind(candidate.health, now, spareBelow) === undefined) return candidate;
      second ??= candidate;
    }
    return second;
  };
  const soonest = (now: number): Candidate | undefined => {
    let found: Candidate | undefined;
    for (const candidate of left) if (found === undefined || readyAt(candidate.health, now) < readyAt(found.health, now)) found = candidate;
    return found;
  };

  return {
    next: (now) => {
      const usable = best(now);
      if (usable !== undefined) return { candidate: usable, waitMs: 0 };
      left = [...left, ...later];
      later = [];
      const candidate = soonest(now);
      return candidate === undefined ? undefined : { candidate, waitMs: Math.max(0, readyAt(candidate.health, now) - now) };
    },
    drop: (failed, next, last) => {
      left = left.filter((candidate) => (next === 'credential' ? candidate !== failed : candidate.target !== failed.target));
      if (last) later = [...later, failed];
    },
  };
};
