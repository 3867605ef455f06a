import { GatewayError } from '../../../core/api/index.ts';
import { Timer } from '../../../core/api/internal.ts';

/** The time limit of one attempt. Milliseconds. */
export interface AttemptLimit {
  /** `deadline`: the deadline of the exchange. `attempt`: another target is left, and is tried after this time. */
  readonly of: 'attempt' | 'deadline';
  readonly milliseconds: number;
  /** The length of time that the error names. */
  readonly namedMs: number;
}

const createTimeoutError = ({ of, namedMs }: AttemptLimit): GatewayError => {
  const reason = of === 'deadline' ? 'the deadline of this gateway.' : 'and another target was left.';
  return new GatewayError('upstream_timeout', `No response began within ${Math.round(namedMs) / 1_000} s, ${reason}`);
};

/**
 * Limits the time until the response of one attempt begins. Its signal aborts on expiry, and when the client leaves.
 */
export class AttemptTimer {
  /** Which limit expired before the response began. */
  expired: AttemptLimit['of'] | undefined = undefined;
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  readonly #limit: AttemptLimit;
  #timer: Timer | undefined;
  #onClientClosed: (() => void) | undefined;

  /** @param client the signal of the exchange */
  constructor(client: AbortSignal, limit: AttemptLimit) {
    this.#client = client;
    this.#limit = limit;
    if (client.aborted) this.handleEvent();
    else {
      client.addEventListener('abort', this, { once: true });
      this.#timer = new Timer(Math.max(0, limit.milliseconds), () => this.#expire());
    }
  }

  /** The signal of the attempt. After the response has begun it still aborts when the client leaves. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sets a callback for a client that leaves before the response has begun. It is called once. */
  onClientClosed(callback: () => void): void {
    this.#onClientClosed = callback;
  }

  /** The response has begun: the limit no longer applies. */
  responseBegan(): void {
    this.#timer?.stop();
    this.#onClientClosed = undefined;
  }

  /** The attempt has failed: nothing is awaited any more. */
  stop(): void {
    this.#timer?.stop();
    this.#client.removeEventListener('abort', this);
  }

  /**
   * The signal of the exchange has aborted. This object is the listener, so that no closure is allocated per attempt.
   */
  handleEvent(): void {
    this.#timer?.stop();
    this.#onClientClosed?.();
    this.#controller.abort(this.#client.reason);
  }

  #expire(): void {
    this.expired = this.#limit.of;
    this.#controller.abort(createTimeoutError(this.#limit));
  }
}
