import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Listener } from '../../http/connection/listener.ts';

export interface DrainOptions {
  /** Milliseconds in which new connections are still served: whoever sends them has to learn first that this gateway goes. */
  readonly delay: number;
  /** Milliseconds after that in which answers may end by themselves. */
  readonly timeout: number;
  /** Aborts the delay. */
  readonly hurry: AbortSignal;
}

/** How long the last words of a stream may take to arrive. */
const FAREWELL_MS = 5_000;
/** Node's timers take 32 bits. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * Ends a listener in two phases: it serves on for the delay, each answer the last of its connection; then it takes no connection, and waits. Answers
 * that are not over in time end with an error in their own wire.
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
  const deadline = Math.min(timeout, LONGEST_TIMER - FAREWELL_MS);
  const timers = [setTimeout(end, deadline), setTimeout(cut, deadline + FAREWELL_MS)];
  await listener.drain();
  timers.forEach(clearTimeout);
  return !isCut;
}
