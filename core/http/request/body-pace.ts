/** The slowest that bodies may come. */
export interface BodyRate {
  /** Milliseconds in which a body may come at any rate. */
  readonly grace: number;
  /** Bytes a second, averaged from the beginning of the body. */
  readonly perSecond: number;
}

/** A body that is being read. */
export interface ArrivingBody {
  /** Bytes that have come, compressed ones as they came. */
  readonly received: number;
  /** Called once it is too slow. */
  tooSlow(): void;
}

/** Watches over the bodies of one listener. */
export interface BodyPace {
  watch(body: ArrivingBody): void;
  forget(body: ArrivingBody): void;
}

/** Milliseconds between two looks. */
const CHECK_MS = 1_000;

/** One timer for all bodies; it runs only while there are any. */
export function createBodyPace({ grace, perSecond }: BodyRate, now: () => number, lookEvery = CHECK_MS): BodyPace {
  /** When each began. */
  const bodies = new Map<ArrivingBody, number>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
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
      timer ??= setInterval(look, lookEvery).unref();
    },
    forget: (body) => void bodies.delete(body),
  };
}
