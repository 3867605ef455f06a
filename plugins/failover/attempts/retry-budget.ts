import type { Settings } from '../config/settings.ts';

/** How many retries a process may still make. */
export interface Budget {
  /** A request has come. */
  earn(): void;
  /** One retry, where there is one left. */
  take(): boolean;
}

/** Every request earns a part of a retry. What is saved up is bounded, so that only recent requests count; a process starts with all of it. */
export function createBudget({ share, free }: Settings['budget']): Budget {
  const most = Math.max(1, free);
  let saved = free;
  return {
    earn: () => {
      saved = Math.min(most, saved + share);
    },
    take: () => {
      // Fifths do not add up to a whole in floating point.
      if (saved < 1 - 1e-9) return false;
      saved -= 1;
      return true;
    },
  };
}
