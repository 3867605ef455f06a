import type { RunExchange } from '../exchange/run.ts';

export interface OpenExchanges {
  readonly run: RunExchange;
  /** Resolves when none is open: a client may be gone long before its exchange is settled. */
  settled(): Promise<void>;
}

/** Counts the exchanges that have begun and are not settled yet. */
export const countExchanges = (run: RunExchange): OpenExchanges => {
  let open = 0;
  let wake: (() => void) | undefined;
  const leave = (): void => {
    open -= 1;
    if (open === 0) wake?.();
  };
  return {
    run: (head, route, door) => {
      open += 1;
      const running = run(head, route, door);
      void running.then(leave);
      return running;
    },
    settled: async () => {
      if (open > 0) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
};
