import { GatewayError, type Clock, type Exchange } from '../../core/index.ts';

/** The time that an exchange has until its answer begins. */
export interface Deadline {
  /** Aborts when the time is over, and, for as long as the exchange lasts, when its client leaves. */
  readonly signal: AbortSignal;
  readonly expired: boolean;
  /** Milliseconds. */
  leftMs(): number;
  /** The answer has begun, or there will be none. */
  stop(): void;
}

/** A timer of more is over at once. */
const LONGEST_MS = 2 ** 31 - 1;

const tooLate = (deadlineMs: number): GatewayError => new GatewayError('upstream_timeout', `No answer began within ${deadlineMs / 1_000} s, the deadline of this gateway.`);

export const startDeadline = ({ signal, startedAt }: Pick<Exchange, 'signal' | 'startedAt'>, deadlineMs: number, clock: Clock): Deadline => {
  const controller = new AbortController();
  const leave = (): void => controller.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  const leftMs = (): number => startedAt + deadlineMs - clock.monotonic();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(tooLate(deadlineMs));
  }, Math.min(LONGEST_MS, Math.max(0, leftMs())));
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    leftMs,
    stop: () => clearTimeout(timer),
  };
};
