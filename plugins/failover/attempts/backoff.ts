import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/settings.ts';

/** A number of [0, 1). */
export type Random = () => number;

/** Full jitter: anything between nothing and a bound that doubles with each retry. @param retry 0 for the first */
export const backoffMs = ({ baseMs, capMs }: Settings['backoff'], retry: number, random: Random): number =>
  random() * Math.min(capMs, baseMs * 2 ** retry);

/** Lets time pass. @throws the reason of the signal as soon as it aborts */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const pause: Pause = async (milliseconds, signal) => {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  }
};
