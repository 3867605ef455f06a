import { GatewayError, Timer } from '../../../core/index.ts';

/** How long an attempt may take: until the deadline of its exchange, or until another target has its turn. Milliseconds. */
export interface TurnLimit {
  readonly of: 'attempt' | 'deadline';
  readonly milliseconds: number;
  /** As the error says it. */
  readonly saidMs: number;
}

const describe = ({ of, saidMs }: TurnLimit): GatewayError => {
  const reason = of === 'deadline' ? 'the deadline of this gateway.' : 'and another target was left.';
  return new GatewayError('upstream_timeout', `No answer began within ${Math.round(saidMs) / 1_000} s, ${reason}`);
};

/** The time that one attempt has until its answer begins. Its signal aborts when that is over or the client leaves. */
export class Turn {
  /** The time was over before the answer began: that of the attempt, or that of the exchange. */
  missed: TurnLimit['of'] | undefined = undefined;
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  readonly #limit: TurnLimit;
  #timer: Timer | undefined;
  #whenLeft: (() => void) | undefined;

  /** @param client of the exchange */
  constructor(client: AbortSignal, limit: TurnLimit) {
    this.#client = client;
    this.#limit = limit;
    if (client.aborted) this.handleEvent();
    else {
      client.addEventListener('abort', this, { once: true });
      this.#timer = new Timer(Math.max(0, limit.milliseconds), () => this.#expire());
    }
  }

  /** Of the attempt: for as long as the exchange lasts, it aborts when the client leaves. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called once if the client leaves before the answer has begun. */
  whenLeft(left: () => void): void {
    this.#whenLeft = left;
  }

  /** The answer has begun. */
  begun(): void {
    this.#timer?.stop();
    this.#whenLeft = undefined;
  }

  /** The attempt has failed. */
  end(): void {
    this.#timer?.stop();
    this.#client.removeEventListener('abort', this);
  }

  /** The client has left, or the gateway ends the exchange. */
  handleEvent(): void {
    this.#timer?.stop();
    this.#whenLeft?.();
    this.#controller.abort(this.#client.reason);
  }

  #expire(): void {
    this.missed = this.#limit.of;
    this.#controller.abort(describe(this.#limit));
  }
}
