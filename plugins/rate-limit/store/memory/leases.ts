import type { Charge } from '../store.ts';
import type { Tally } from './tally.ts';

/** It is unknown when a running exchange will end: clients try again after a second. */
const RETRY_MS = 1_000;

/**
 * Running exchanges. A number is enough: a lease expires with its reservation, which is released before anything is
 * counted.
 */
export class Leases implements Tally {
  private held = 0;

  waitMs({ bucket, amount }: Charge): number {
    return this.held + amount <= bucket.limit ? 0 : RETRY_MS;
  }

  remaining({ bucket }: Charge): number {
    return bucket.limit - this.held;
  }

  resetMs(): number {
    return this.held === 0 ? 0 : RETRY_MS;
  }

  mark(): number {
    return 0;
  }

  take({ amount }: Charge): void {
    this.held += amount;
  }

  settle({ amount }: Charge): void {
    this.held -= amount;
  }

  isIdle(): boolean {
    return this.held === 0;
  }
}
