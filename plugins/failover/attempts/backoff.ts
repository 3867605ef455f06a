import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/settings.ts';

/** Returns a number in [0, 1). */
export type Random = () => number;

/**
 * Full jitter: a random pause below a bound that doubles with each retry.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param retry 0 for the first
 */
export const backoffMs = ({ baseMs, capMs }: Settings['backoff'], retry: number, random: Random): number =>
  random() * Math.min(capMs, baseMs * 2 ** retry);

/** Sleeps. @throws the reason of the signal as soon as it aborts */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const pause: Pause = async (milliseconds, signal) => {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  }
};
