/** Adds up the time an attempt spends waiting for its upstream, so that the rest is known to be our own. */
export interface Stopwatch {
  start(): void;
  stop(): void;
  readonly elapsedMs: number;
}

export const createStopwatch = (): Stopwatch => {
  let since = 0;
  let elapsedMs = 0;
  return {
    start: () => {
      since = performance.now();
    },
    stop: () => {
      elapsedMs += performance.now() - since;
    },
    get elapsedMs() {
      return elapsedMs;
    },
  };
};
