import type { RequestListener } from 'node:http';
import type { RunExchange } from '../exchange/run.ts';

/** Counts what one configuration is in use for. */
export interface Use {
  /** The same, counted from a request until its answer is complete or its client gone. */
  listen(listener: RequestListener): RequestListener;
  /** The same, counted until an exchange is settled: its client may be gone long before. */
  exchange(run: RunExchange): RunExchange;
  /** Resolves when it is in use for nothing. */
  over(): Promise<void>;
}

export const countUse = (): Use => {
  let open = 0;
  let wake: (() => void) | undefined;
  const leave = (): void => {
    open -= 1;
    if (open === 0) wake?.();
  };
  return {
    listen: (listener) => (request, response) => {
      open += 1;
      response.once('close', leave);
      listener(request, response);
    },
    exchange: (run) => (head, route, door) => {
      open += 1;
      const running = run(head, route, door);
      void running.then(leave);
      return running;
    },
    over: async () => {
      if (open > 0) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
};
