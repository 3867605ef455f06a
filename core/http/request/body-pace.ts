/** The lowest accepted rate of request bodies. */
export interface BodyRate {
  /** Milliseconds at the start of a body for which any rate is accepted. */
  readonly grace: number;
  /** Bytes per second, averaged since the start of the body. */
  readonly perSecond: number;
}

/** A body that is being read. */
export interface ArrivingBody {
  /** Bytes received so far, before decompression. */
  readonly received: number;
  /** Called when the body is too slow. */
  tooSlow(): void;
}

/** Watches the rate of all bodies of one listener. */
export interface BodyPace {
  watch(body: ArrivingBody): void;
  forget(body: ArrivingBody): void;
}

/** Milliseconds between two checks. */
const CHECK_MS = 1_000;

/** Uses one timer for all bodies, which runs only while there are any. */
export function createBodyPace({ grace, perSecond }: BodyRate, now: () => number, checkEvery = CHECK_MS): BodyPace {
  /** Each body with its start time. */
  const bodies = new Map<ArrivingBody, number>();
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const at = now();
    for (const [body, startedAt] of bodies) {
      const elapsed = at - startedAt;
      if (elapsed > grace && body.received < (elapsed / 1_000) * perSecond) body.tooSlow();
    }
    if (bodies.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: (body) => {
      bodies.set(body, now());
      // What arrived while the event loop was blocked is read first.
      timer ??= setInterval(() => setImmediate(check), checkEvery).unref();
    },
    forget: (body) => void bodies.delete(body),
  };
}
