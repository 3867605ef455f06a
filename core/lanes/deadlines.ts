import type { CallTimeouts } from '../config/gateway-config.ts';
import type { Caller } from '../contracts/caller.ts';
import { GatewayError } from '../errors.ts';
import { hasLeft, type LeftCall, type ReadOn } from './read-on.ts';

/** A call whose client has left is read on for so many bytes at most. */
const READ_ON_BYTES = 8 * 1_048_576;

/** The deadlines of one upstream call. */
export interface Deadlines {
  /** Aborts with what was missed, or with the reason of the attempt's own signal. */
  readonly signal: AbortSignal;
  /** The request goes out: from now on it may cost something. */
  sent(): void;
  /** The head of the answer is there. */
  answered(): void;
  /** So many bytes have come that show nothing: a sign of life until content has come, and none afterwards. */
  heard(bytes: number): void;
  /** So many bytes have come, with content in them. */
  shown(bytes: number): void;
  /** While the client does not read, silence is not the upstream's. The total runs on. */
  pause(): void;
  resume(): void;
  /** Nothing more is awaited. Must be called on every path. */
  stop(): void;
}

const timeout = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

/** Where a call may be read on after its client has left. */
export interface AfterLeaving {
  readonly readOn: ReadOn;
  readonly caller: Caller;
}

/**
 * One timer for all of them, and none per event: what comes is only noted, and the timer looks at the notes when it fires.
 * @param parent the signal of the attempt
 * @param after absent: the call is cut as soon as its client has left
 */
export const createDeadlines = ({ firstByte, firstContent = Infinity, idle, total }: CallTimeouts, parent: AbortSignal, after?: AfterLeaving): Deadlines => {
  const controller = new AbortController();
  let end = performance.now() + total;
  /** Silence is counted from here. */
  let since = performance.now();
  let patience = firstByte;
  let contentBy = Infinity;
  let began = false;
  let content = false;
  let paused = false;
  let isSent = false;
  /** Set while the call is read on. */
  let left: LeftCall | undefined;
  let bytesLeft = READ_ON_BYTES;
  let timer: NodeJS.Timeout | undefined;
  /** When it fires; once stopped, no deadline is earlier. */
  let timerAt = Infinity;

  const next = (): number => Math.min(paused ? Infinity : Math.min(since + patience, contentBy), end);
  const missed = (now: number): GatewayError => {
    if (now >= end) return left === undefined ? new GatewayError('upstream_too_long') : (parent.reason as GatewayError);
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
  const cut = (): void => {
    stop();
    controller.abort(parent.reason);
  };
  /** The attempt is over: at once, or, where only the client has left, when the rest has been read. */
  const leave = (): void => {
    if (after === undefined || !isSent || !hasLeft(parent)) return cut();
    const call = { caller: after.caller, cut };
    const time = after.readOn.enter(call);
    if (time === undefined) return cut();
    left = call;
    end = Math.min(end, performance.now() + time);
    arm();
  };
  const stop = (): void => {
    clearTimeout(timer);
    timerAt = -Infinity;
    parent.removeEventListener('abort', leave);
    if (left !== undefined) after?.readOn.leave(left);
  };
  const count = (bytes: number): void => {
    if (left === undefined) return;
    bytesLeft -= bytes;
    if (bytesLeft < 0) cut();
  };

  if (parent.aborted) controller.abort(parent.reason);
  else {
    parent.addEventListener('abort', leave);
    arm();
  }
  return {
    signal: controller.signal,
    sent: () => {
      isSent = true;
    },
    answered: () => {
      began = true;
      since = performance.now();
      patience = idle;
      contentBy = since + firstContent;
      arm();
    },
    heard: (bytes) => {
      if (!content) since = performance.now();
      count(bytes);
    },
    shown: (bytes) => {
      content = true;
      contentBy = Infinity;
      since = performance.now();
      count(bytes);
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
