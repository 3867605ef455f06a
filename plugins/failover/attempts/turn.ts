import { GatewayError } from '../../../core/index.ts';

/** The time that one attempt has until its answer begins. */
export interface Turn {
  /** Aborts when the time is over and, for as long as the exchange lasts, when its client leaves. */
  readonly signal: AbortSignal;
  /** The time was over before the answer began: that of the attempt, or that of the exchange. */
  readonly missed: 'attempt' | 'deadline' | undefined;
  /** Called once if the client leaves before the answer has begun. */
  whenLeft(left: () => void): void;
  /** The answer has begun. */
  begun(): void;
  /** The attempt has failed. */
  end(): void;
}

/** Node's timers take 32 bits: one of more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

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

export const startTurn = (client: AbortSignal, limit: TurnLimit): Turn => {
  const controller = new AbortController();
  let missed: Turn['missed'];
  let timer: NodeJS.Timeout | undefined;
  let whenLeft: (() => void) | undefined;
  const leave = (): void => {
    clearTimeout(timer);
    whenLeft?.();
    controller.abort(client.reason);
  };
  const expire = (): void => {
    missed = limit.of;
    controller.abort(describe(limit));
  };
  if (client.aborted) leave();
  else {
    client.addEventListener('abort', leave, { once: true });
    timer = setTimeout(expire, Math.min(LONGEST_MS, Math.max(0, limit.milliseconds)));
  }
  return {
    signal: controller.signal,
    get missed() {
      return missed;
    },
    whenLeft: (left) => {
      whenLeft = left;
    },
    begun: () => {
      clearTimeout(timer);
      whenLeft = undefined;
    },
    end: () => {
      clearTimeout(timer);
      client.removeEventListener('abort', leave);
    },
  };
};
