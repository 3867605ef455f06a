import type { Clock } from '../../contracts/services.ts';

const FIRST_DELAY_MS = 100;
/** A worker that cannot start is tried less and less often. The successor of one that served may serve as well. */
const [LONGEST_DELAY_MS, LONGEST_AFTER_SERVING_MS] = [10_000, 1_000];
/** A worker that lived this long did not fail at its start: its successor starts at once. */
const HEALTHY_LIFE_MS = 30_000;

/**
 * One for each worker slot.
 * @returns how long to wait before the next start, in milliseconds: longer after each short life in a row
 */
export function createBackOff(): (livedMs: number, hasServed: boolean) => number {
  let next = FIRST_DELAY_MS;
  return (livedMs, hasServed) => {
    if (livedMs >= HEALTHY_LIFE_MS) {
      next = FIRST_DELAY_MS;
      return 0;
    }
    const delay = Math.min(next, hasServed ? LONGEST_AFTER_SERVING_MS : LONGEST_DELAY_MS);
    next = delay * 2;
    return delay;
  };
}

const LOOP_EXITS = 5;
const LOOP_MS = 60_000;

/**
 * To be called whenever a worker ends before it has served.
 * @returns whether this is a crash loop, which another start would not end
 */
export function createCrashLoopDetector(clock: Pick<Clock, 'monotonic'>): () => boolean {
  let exits: number[] = [];
  return () => {
    const now = clock.monotonic();
    exits = [...exits.filter((at) => now - at < LOOP_MS), now];
    return exits.length > LOOP_EXITS;
  };
}
