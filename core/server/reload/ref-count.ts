import type { RequestListener } from 'node:http';

/** Counts the requests and exchanges that still use a configuration generation. */
export interface RefCount {
  /**
   * Adds a reference, until `leave`. An exchange holds one until it is settled, even if its client left long before.
   */
  enter(): void;
  leave(): void;
  /** The same listener; each request holds a reference until its response is complete or its client is gone. */
  listen(listener: RequestListener): RequestListener;
  /** Resolves when the count is zero. */
  zero(): Promise<void>;
}

export function createRefCount(): RefCount {
  let count = 0;
  let wake: (() => void) | undefined;
  const enter = (): void => {
    count += 1;
  };
  const leave = (): void => {
    count -= 1;
    if (count === 0) wake?.();
  };
  return {
    enter,
    leave,
    listen: (listener) => (request, response) => {
      enter();
      response.once('close', leave);
      listener(request, response);
    },
    zero: async () => {
      if (count > 0) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
