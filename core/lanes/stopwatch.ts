/** Adds up the time an attempt spends waiting for its upstream, so that the rest is known to be our own. Waits side by side count once. */
export interface Stopwatch {
  start(): void;
  stop(): void;
  readonly elapsedMs: number;
}

export const createStopwatch = (): Stopwatch => {
  let since = 0;
  let running = 0;
  let elapsedMs = 0;
  return {
    start: () => {
      if (running === 0) since = performance.now();
      running += 1;
    },
    stop: () => {
      running -= 1;
      if (running === 0) elapsedMs += performance.now() - since;
    },
    get elapsedMs() {
      return elapsedMs;
    },
  };
};
