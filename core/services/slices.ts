import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest that work in slices holds the event loop, in milliseconds; its last step can exceed it. */
const SLICE_MS = 8;

/** Work in steps: it yields wherever requests can be served before it goes on. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs steps in several turns of the event loop, so that no request waits long for them. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await nextTurn();
  }
}

/** Runs steps at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
