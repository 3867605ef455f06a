import type { Exchange, Operation } from '../../../core/api/index.ts';
import { FirstBytes } from './first-bytes.ts';

const WEIGHT = 0.2;
const HALF_LIFE_MS = 30_000;

/** What is comparable: streamed responses begin earlier than whole ones, and counts of tokens earlier still. */
export type LatencyKind = 'streamed' | Operation;

export const kindOf = ({ operation, request }: Pick<Exchange, 'operation' | 'request'>): LatencyKind =>
  'stream' in request && request.stream ? 'streamed' : operation;

/**
 * How long a target takes until its response begins: a moving average that decays, so that a slow target is tried
 * again. Milliseconds; 0 if nothing is known.
 */
export class Latency {
  readonly firstBytes = new FirstBytes();
  #mean = 0;
  #at = 0;

  add(now: number, milliseconds: number): void {
    this.#mean = this.#mean === 0 ? milliseconds : this.#mean + WEIGHT * (milliseconds - this.#mean);
    this.#at = now;
    this.firstBytes.add(milliseconds);
  }

  /** The average without decay. */
  get usual(): number {
    return this.#mean;
  }

  read(now: number): number {
    return this.#mean * 0.5 ** ((now - this.#at) / HALF_LIFE_MS);
  }
}
