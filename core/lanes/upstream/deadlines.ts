import type { CallTimeouts } from '../../config/gateway-config.ts';
import type { Caller } from '../../contracts/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Timer } from '../../services/timer.ts';
import { hasLeft, type LeftCall, type ReadOn } from './read-on.ts';

/** A call whose client has left is read on for so many bytes at most. */
const MAX_READ_ON_BYTES = 8 * 1_048_576;

/** Where a call may be read on after its client has left. */
export interface AfterLeaving {
  readonly readOn: ReadOn;
  readonly caller: Caller;
}

export interface AbortListener {
  handleEvent(): void;
}

/** What ends a call early: the part of AbortSignal that the gateway's own transport needs. Deadlines have it too. */
export interface Cancellation {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: AbortListener): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

const timeout = (message: string): GatewayError => new GatewayError('upstream_timeout', message);

/**
 * The deadlines of one upstream call. One timer for all of them, and none per event: what arrives is only noted, and
 * the timer looks at the notes when it fires. They abort with what was missed, or with the reason of the attempt's own
 * signal; `stop` must be called on every path.
 */
export class Deadlines implements Cancellation {
  aborted = false;
  reason: unknown;
  /** The request has gone out: it may cost something. */
  isSent = false;
  readonly #timeouts: CallTimeouts;
  readonly #parent: AbortSignal;
  readonly #after: AfterLeaving | undefined;
  readonly #timer: Timer;
  /** Made only for a transport that is not the gateway's own. */
  #controller: AbortController | undefined;
  #listener: AbortListener | undefined;
  #stopped = false;
  #end: number;
  /** Silence is counted from here. */
  #since: number;
  #patience: number;
  #contentBy = Infinity;
  #hasBegun = false;
  #hasContent = false;
  #isPaused = false;
  /** Set while the call is read on after its client has left. */
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
    this.#timer = new Timer(this.#timerAt - now, () => this.#look());
    if (parent.aborted) this.#cut();
    else parent.addEventListener('abort', this);
  }

  /** The same as an AbortSignal. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** One listener at a time. */
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

  /** Bytes without content: a sign of life until content has come, and none afterwards. */
  received(bytes: number): void {
    if (!this.#hasContent) this.#since = performance.now();
    if (this.#left !== undefined) this.#count(bytes);
  }

  /** Bytes with content in them. */
  receivedContent(bytes: number): void {
    this.#hasContent = true;
    this.#contentBy = Infinity;
    this.#since = performance.now();
    if (this.#left !== undefined) this.#count(bytes);
  }

  /** While the client does not read, silence is not the upstream's. The total runs on. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#since = performance.now();
    this.#arm();
  }

  /** Nothing more is awaited. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer.stop();
    this.#parent.removeEventListener('abort', this);
    if (this.#left !== undefined) this.#after?.readOn.leave(this.#left);
  }

  /** The attempt is over: at once, or, where only the client has left, when the rest has been read. */
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

  #look(): void {
    if (this.#stopped) return;
    const now = performance.now();
    if (now >= this.#next()) return this.#abort(this.#missed(now));
    this.#timerAt = Infinity;
    this.#arm();
  }

  /** Timers fire up to a millisecond early: one that looks too soon would look again. */
  #arm(): void {
    const at = this.#next();
    if (this.#stopped || at >= this.#timerAt) return;
    this.#timerAt = at;
    this.#timer.refresh(Math.max(1, Math.ceil(at - performance.now())));
  }

  #missed(now: number): unknown {
    if (now >= this.#end) return this.#left === undefined ? new GatewayError('upstream_too_long') : this.#parent.reason;
    if (!this.#hasBegun) return timeout('The provider did not begin to answer in time.');
    if (now >= this.#contentBy) return timeout('The provider sent no content in time.');
    return timeout('The provider fell silent in the middle of its answer.');
  }

  #count(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#cut();
  }
}
