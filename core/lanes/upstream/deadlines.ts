import type { CallTimeouts } from '../../config/gateway-config.ts';
import type { Caller } from '../../contracts/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Timer } from '../../services/timer.ts';
import { hasLeft, type LeftCall, type ReadOn } from './read-on.ts';

/** Most bytes that are read of a call after its client has left. */
const MAX_READ_ON_BYTES = 8 * 1_048_576;

/** Lets a call be read on after its client has left. */
export interface AfterLeaving {
  readonly readOn: ReadOn;
  readonly caller: Caller;
}

export interface AbortListener {
  handleEvent(): void;
}

/** Ends a call early: the part of AbortSignal that the gateway's own transport needs. `Deadlines` implements it. */
export interface Cancellation {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: AbortListener): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

const timeout = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

/**
 * The deadlines of one upstream call: first byte, first content, idle, total. They share one timer, which is not
 * touched per event: an event only stores the time, and the timer compares when it fires. They abort with the deadline
 * that was missed, or with the reason of the attempt's signal. Call `stop` on every path.
 */
export class Deadlines implements Cancellation {
  aborted = false;
  reason: unknown;
  /** The request has been sent: it can cost something. */
  isSent = false;
  readonly #timeouts: CallTimeouts;
  readonly #parent: AbortSignal;
  readonly #after: AfterLeaving | undefined;
  readonly #timer: Timer;
  /** Created only for a transport that is not the gateway's own. */
  #controller: AbortController | undefined;
  #listener: AbortListener | undefined;
  #stopped = false;
  #end: number;
  /** The idle time is counted from here. */
  #since: number;
  /** Until the headers the timeout of the first byte, then the idle timeout. */
  #patience: number;
  #contentBy = Infinity;
  #hasBegun = false;
  #hasContent = false;
  #isPaused = false;
  /** Set while the call is read on although its client has left. */
  #left: LeftCall | undefined;
  #bytesLeft = MAX_READ_ON_BYTES;
  /** When the timer fires. */
  #timerAt: number;

  /**
   * @param parent the signal of the attempt
   * @param after absent: the call is cut as soon as its client has left
   */
  constructor(timeouts: CallTimeouts, parent: AbortSignal, after?: AfterLeaving) {
    const now = performance.now();
    this.#timeouts = timeouts;
    this.#parent = parent;
    this.#after = after;
    this.#end = now + timeouts.total;
    this.#since = now;
    this.#patience = timeouts.firstByte;
    this.#timerAt = this.#next();
    this.#timer = new Timer(this.#timerAt - now, () => this.#check());
    if (parent.aborted) this.#cut();
    else parent.addEventListener('abort', this);
  }

  /** These deadlines as an AbortSignal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** Keeps one listener only. */
  addEventListener(_type: 'abort', listener: AbortListener): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  /** The headers of the response have arrived. */
  answered(): void {
    this.#hasBegun = true;
    this.#since = performance.now();
    this.#patience = this.#timeouts.idle;
    this.#contentBy = this.#since + (this.#timeouts.firstContent ?? Infinity);
    this.#arm();
  }

  /** Bytes without content. They restart the idle timeout only before the first content: later they are keepalives. */
  received(bytes: number): void {
    if (!this.#hasContent) this.#since = performance.now();
    if (this.#left !== undefined) this.#count(bytes);
  }

  /** Bytes that contain content. */
  receivedContent(bytes: number): void {
    this.#hasContent = true;
    this.#contentBy = Infinity;
    this.#since = performance.now();
    if (this.#left !== undefined) this.#count(bytes);
  }

  /** Stops the idle timeout while the client is not reading. The total timeout keeps running. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#since = performance.now();
    this.#arm();
  }

  /** The call is over. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.stop();
    this.#parent.removeEventListener('abort', this);
    if (this.#left !== undefined) this.#after?.readOn.leave(this.#left);
  }

  /** The attempt's signal has aborted. Cuts the call, unless only the client has left and the call is read on. */
  handleEvent(): void {
    if (this.#after === undefined || !this.isSent || !hasLeft(this.#parent)) return this.#cut();
    const call = { caller: this.#after.caller, cut: () => this.#cut() };
    const time = this.#after.readOn.enter(call);
    if (time === undefined) return this.#cut();
    this.#left = call;
    this.#end = Math.min(this.#end, performance.now() + time);
    this.#arm();
  }

  #cut(): void {
    this.#abort(this.#parent.reason);
  }

  #abort(reason: unknown): void {
    if (this.aborted) return;
    this.stop();
    this.aborted = true;
    this.reason = reason;
    this.#listener?.handleEvent();
    this.#controller?.abort(reason);
  }

  #next(): number {
    return Math.min(this.#isPaused ? Infinity : Math.min(this.#since + this.#patience, this.#contentBy), this.#end);
  }

  #check(): void {
    if (this.#stopped) return;
    const now = performance.now();
    if (now >= this.#next()) return this.#abort(this.#missed(now));
    this.#timerAt = Infinity;
    this.#arm();
  }

  /** Moves the timer forward if a deadline is earlier. Rounded up, since timers fire up to a millisecond early. */
  #arm(): void {
    const at = this.#next();
    if (this.#stopped || at >= this.#timerAt) return;
    this.#timerAt = at;
    this.#timer.refresh(Math.max(1, Math.ceil(at - performance.now())));
  }

  #missed(now: number): unknown {
    if (now >= this.#end) return this.#left === undefined ? new GatewayError('upstream_too_long') : this.#parent.reason;
    if (!this.#hasBegun) return timeout('The provider did not begin to respond in time.');
    if (now >= this.#contentBy) return timeout('The provider sent no content in time.');
    return timeout('The provider stopped sending in the middle of its response.');
  }

  #count(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#cut();
  }
}
