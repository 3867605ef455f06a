import type { CallTimeouts } from '../config/gateway-config.ts';
import { GatewayError } from '../errors.ts';

/** The deadlines of one upstream call. */
export interface Deadlines {
  /** Aborts with what was missed, or with the reason of the attempt's own signal. */
  readonly signal: AbortSignal;
  /** The head of the answer is there. */
  answered(): void;
  /** Bytes have come that show nothing: a sign of life as long as no content has come, for ever after no more. */
  heard(): void;
  /** Content has come. */
  shown(): void;
  /** While the client does not read, silence is not the upstream's. The total runs on. */
  pause(): void;
  resume(): void;
  /** Nothing more is awaited. Must be called on every path. */
  stop(): void;
}

const timeout = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

/**
 * One timer for all of them, and none per event: what comes is only noted, and the timer looks at the notes when it fires.
 * @param parent the signal of the attempt
 */
export const createDeadlines = ({ firstByte, firstContent = Infinity, idle, total }: CallTimeouts, parent: AbortSignal): Deadlines => {
  const controller = new AbortController();
  const end = performance.now() + total;
  /** Silence is counted from here. */
  let since = performance.now();
  let patience = firstByte;
  let contentBy = Infinity;
  let began = false;
  let content = false;
  let paused = false;
  let timer: NodeJS.Timeout | undefined;
  /** When it fires; once stopped, no deadline is earlier. */
  let timerAt = Infinity;

  const next = (): number => Math.min(paused ? Infinity : Math.min(since + patience, contentBy), end);
  const missed = (now: number): GatewayError => {
    if (now >= end) return new GatewayError('upstream_too_long');
    if (!began) return timeout('The provider did not begin to answer in time.');
    return now >= contentBy ? timeout('The provider sent no content in time.') : timeout('The provider fell silent in the middle of its answer.');
  };
  const look = (): void => {
    const now = performance.now();
    if (now < next()) {
      timerAt = Infinity;
      return arm();
    }
    stop();
    controller.abort(missed(now));
  };
  /** Timers fire up to a millisecond early: one that looks too soon would look again. */
  const arm = (): void => {
    const at = next();
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(look, Math.max(1, Math.ceil(at - performance.now())));
  };
  const leave = (): void => {
    stop();
    controller.abort(parent.reason);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timerAt = -Infinity;
    parent.removeEventListener('abort', leave);
  };

  if (parent.aborted) controller.abort(parent.reason);
  else {
    parent.addEventListener('abort', leave);
    arm();
  }
  return {
    signal: controller.signal,
    answered: () => {
      began = true;
      since = performance.now();
      patience = idle;
      contentBy = since + firstContent;
      arm();
    },
    heard: () => {
      if (!content) since = performance.now();
    },
    shown: () => {
      content = true;
      contentBy = Infinity;
      since = performance.now();
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      since = performance.now();
      arm();
    },
    stop,
  };
};
