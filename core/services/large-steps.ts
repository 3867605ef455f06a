/** Bodies above this size are converted in several steps, between which other requests are served. */
export const LARGE_BYTES = 262_144;

const waiting: (() => void)[] = [];

const runNext = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runNext);
};

/**
 * Waits for a turn of the event loop in which no other large step runs. A large step blocks the loop for up to some 100
 * ms. Without this, the steps of all large requests would run in the same turn, and small requests would wait for all.
 */
export const waitForLargeStep = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext);
  });
