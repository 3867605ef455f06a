import type { CircuitRules } from '../config/settings.ts';

/**
 * How often a target that refuses calls is called all the same, where no other target is left. The rate follows its answers, so that the share
 * which the vendor would serve is served, and a vendor that serves nothing sees about one call in `circuit.open`. Monotonic milliseconds.
 */
export interface Throttle {
  /** When the next call may be made: `now` or earlier means at once. */
  at(): number;
  /** Has nearly every recent call been refused? */
  readonly isSlowest: boolean;
  /** A call is made then. Later callers get later times. */
  take(at: number): void;
  /** @param lasting no pause cures it, as a spent quota: the time between calls goes on doubling, up to `circuit.longest` */
  refused(now: number, lasting: boolean): void;
  answered(): void;
}

/** So many refusals halve the rate, and one answer doubles it: it falls only where more than three of four calls are refused. */
const REFUSALS = 3;
/** The rate is halved so often before only probes are left: with probes once a second from 32 calls per second. */
const SLOWEST = 6 * REFUSALS;
const LONGEST = SLOWEST + 16 * REFUSALS;

/** @param rules read at every use: they may change with a reload */
export function createThrottle(rules: () => Pick<CircuitRules, 'openMs' | 'longestMs'>): Throttle {
  /** Refusals, less what answers have made good. */
  let level = 0;
  let lastAt = 0;
  const spacing = (): number => {
    const { openMs, longestMs } = rules();
    return Math.min(longestMs, openMs * 2 ** Math.floor((level - SLOWEST) / REFUSALS));
  };
  return {
    at: () => (level < REFUSALS ? 0 : lastAt + spacing()),
    get isSlowest() {
      return level >= SLOWEST;
    },
    take: (at) => {
      lastAt = Math.max(lastAt, at);
    },
    refused: (now, lasting) => {
      if (lasting) level = level < SLOWEST ? SLOWEST : Math.min(LONGEST, level + REFUSALS);
      else if (level < SLOWEST) level += 1;
      lastAt = Math.max(lastAt, now);
    },
    answered: () => {
      if (level > 0) level = Math.max(0, Math.min(level, SLOWEST) - REFUSALS);
    },
  };
}
