import type { Charge } from '../store.ts';
import type { Tally } from './tally.ts';

/** Nobody knows when an answer that is being made will end: ask again in a second. */
const ASK_AGAIN_MS = 1_000;

/** Answers that are being made. A count is enough here: a lease that runs out ends with its reservation, which is released before anything is counted. */
export class Leases implements Tally {
  private held = 0;

  waitMs({ bucket, amount }: Charge): number {
    return this.held + amount <= bucket.limit ? 0 : ASK_AGAIN_MS;
  }

  remaining({ bucket }: Charge): number {
    return bucket.limit - this.held;
  }

  resetMs(): number {
    return this.held === 0 ? 0 : ASK_AGAIN_MS;
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
