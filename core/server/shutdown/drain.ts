import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Listener } from '../../http/connection/listener.ts';

export interface DrainOptions {
  /**
   * How long new connections are still served, in milliseconds: load balancers take time to notice that this gateway
   * stops.
   */
  readonly delay: number;
  /** How long open responses may take to end after that, in milliseconds. */
  readonly timeout: number;
  /** Aborts the delay. */
  readonly hurry: AbortSignal;
}

/** How long the final event of a stream may take to be sent. */
const FINAL_EVENT_MS = 5_000;
/** The longest delay of a Node timer. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * Stops a listener in two phases. During the delay it serves on, and each response is the last of its connection. Then
 * it accepts no connection and waits for the open ones; a response that takes longer than the timeout ends with an
 * error in its own wire.
 * @returns false where connections had to be cut
 */
export async function drainListener(listener: Listener, { delay, timeout, hurry }: DrainOptions): Promise<boolean> {
  listener.endKeepAlive();
  if (delay > 0) await wait(delay, undefined, { signal: hurry }).catch(() => {});
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    listener.cut();
  };
  const end = (): void => listener.end(new GatewayError('shutting_down'));
  const deadline = Math.min(timeout, LONGEST_TIMER - FINAL_EVENT_MS);
  const timers = [setTimeout(end, deadline), setTimeout(cut, deadline + FINAL_EVENT_MS)];
  await listener.drain();
  timers.forEach(clearTimeout);
  return !isCut;
}
