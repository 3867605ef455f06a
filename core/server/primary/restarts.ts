import type { Clock } from '../../contracts/services.ts';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** A worker that lived this long did not fail at its start: the next delay is the shortest again. */
const HEALTHY_LIFE_MS = 30_000;

/**
 * One for each worker slot.
 * @returns how long to wait before the next fork, in milliseconds: longer after each short life in a row
 */
export function createBackOff(): (livedMs: number) => number {
  let next = FIRST_DELAY_MS;
  return (livedMs) => {
    const delay = livedMs >= HEALTHY_LIFE_MS ? FIRST_DELAY_MS : next;
    next = Math.min(delay * 2, LONGEST_DELAY_MS);
    return delay;
  };
}

const LOOP_EXITS = 5;
const LOOP_MS = 60_000;

/**
 * To be called whenever a worker exits before it has served.
 * @returns whether this is a crash loop, which another fork would not end
 */
export function createCrashLoopDetector(clock: Pick<Clock, 'monotonic'>): () => boolean {
  let exits: number[] = [];
  return () => {
    const now = clock.monotonic();
    exits = [...exits.filter((at) => now - at < LOOP_MS), now];
    return exits.length > LOOP_EXITS;
  };
}
