import type { Charge } from '../store.ts';
import type { Arena } from '../../../../core/api/internal.ts';
import { FIELDS } from './entry.ts';
import type { Taken, Tally } from './tally.ts';

/** It is unknown when a running exchange will end: clients try again after a second. */
const RETRY_MS = 1_000;

const HELD = FIELDS;

/**
 * Running exchanges. A number is enough: a lease expires with its reservation, which is released before anything is
 * counted.
 */
export class Leases implements Tally {
  readonly size = HELD + 1;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  waitMs(at: number, { bucket, amount }: Charge): number {
    return this.#arena.get(at + HELD) + amount <= bucket.limit ? 0 : RETRY_MS;
  }

  remaining(at: number, { bucket }: Charge): number {
    return bucket.limit - this.#arena.get(at + HELD);
  }

  resetMs(at: number): number {
    return this.isIdle(at) ? 0 : RETRY_MS;
  }

  mark(): number {
    return 0;
  }

  take(at: number, { amount }: Charge): void {
    this.#arena.add(at + HELD, amount);
  }

  settle(at: number, { amount }: Taken): void {
    this.#arena.add(at + HELD, -amount);
  }

  isIdle(at: number): boolean {
    return this.#arena.get(at + HELD) === 0;
  }
}
