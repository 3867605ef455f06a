import type { Settings } from '../config/settings.ts';

/**
 * How many retries of the same target a process can still make. Every request adds a fraction of a retry. The balance
 * is bounded, so that only recent requests count, and starts at its maximum.
 */
export class RetryBudget {
  readonly #share: number;
  readonly #most: number;
  #balance: number;

  constructor({ share, free }: Settings['budget']) {
    this.#share = share;
    this.#most = Math.max(1, free);
    this.#balance = free;
  }

  /** Called once per request. */
  earn(): void {
    this.#balance = Math.min(this.#most, this.#balance + this.#share);
  }

  /** Takes one retry. Returns false if none is left. */
  take(): boolean {
    // In floating point, five times a fifth is less than one.
    if (this.#balance < 1 - 1e-9) return false;
    this.#balance -= 1;
    return true;
  }
}
