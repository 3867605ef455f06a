import type { RequestListener } from 'node:http';

/** Counts what one configuration is in use for. */
export interface RefCount {
  /** Something uses it, until `leave`: an exchange until it is settled, though its client may be gone long before. */
  enter(): void;
  leave(): void;
  /** The same listener, counted from a request until its answer is complete or its client gone. */
  listen(listener: RequestListener): RequestListener;
  /** Resolves when it is in use for nothing. */
  over(): Promise<void>;
}

export function createRefCount(): RefCount {
  let open = 0;
  let wake: (() => void) | undefined;
  const enter = (): void => {
    open += 1;
  };
  const leave = (): void => {
    open -= 1;
    if (open === 0) wake?.();
  };
  return {
    enter,
    leave,
    listen: (listener) => (request, response) => {
      enter();
      response.once('close', leave);
      listener(request, response);
    },
    over: async () => {
      if (open > 0) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
