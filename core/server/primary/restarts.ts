import type { Clock } from '../../contracts/services.ts';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** Who lived so long did not die of its start. */
const HEALTHY_LIFE_MS = 30_000;

/** How long the place of a worker stays empty: longer with every death in a row. One for each place. */
export function createBackOff(): (livedMs: number) => number {
  let next = FIRST_DELAY_MS;
  return (livedMs) => {
    const delay = livedMs >= HEALTHY_LIFE_MS ? FIRST_DELAY_MS : next;
    next = Math.min(delay * 2, LONGEST_DELAY_MS);
    return delay;
  };
}

const LOOP_DEATHS = 5;
const LOOP_MS = 60_000;

/** Counts the workers that died before they served. True: they do so in a loop, and another will not do better. */
export function createLoopWatch(clock: Pick<Clock, 'monotonic'>): () => boolean {
  let deaths: number[] = [];
  return () => {
    const now = clock.monotonic();
    deaths = [...deaths.filter((at) => now - at < LOOP_MS), now];
    return deaths.length > LOOP_DEATHS;
  };
}
