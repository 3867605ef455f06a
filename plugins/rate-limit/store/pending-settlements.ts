import { setBounded } from '../../../core/api/internal.ts';
import type { Debit } from './store.ts';

/** A settlement that could not be sent to its store, or the debits of an exchange that this host had admitted alone. */
export type PendingSettlement = { readonly tenant: string; readonly id: string } & (
  | { readonly actual: readonly number[]; readonly endedAt?: number | undefined }
  | { readonly debits: readonly Debit[]; readonly endedAt: number }
);

/** A request whose reservation was not answered in time can have been admitted by this host, with the same id. */
const nameOf = (settlement: PendingSettlement): string =>
  'debits' in settlement ? `debit ${settlement.id}` : settlement.id;

/** Settlements that a flush sends at once. */
const BATCH = 100;

/** Settlements that wait for their store. A store settles an id once, so sending one twice is harmless. */
export class PendingSettlements {
  readonly #most: number;
  readonly #onDrop: () => void;
  readonly #waiting = new Map<string, PendingSettlement>();

  constructor(most: number, onDrop: () => void) {
    this.#most = most;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Drops the oldest if there are too many: the lease of its reservation expires. */
  add(settlement: PendingSettlement): void {
    if (setBounded(this.#waiting, this.#most, nameOf(settlement), settlement) !== undefined) this.#onDrop();
  }

  /** Sends all of them, oldest first. Those that could not be sent stay. @throws what `settle` throws */
  async flush(settle: (settlement: PendingSettlement) => unknown): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#waiting.values().take(BATCH).toArray();
      await Promise.all(batch.map((settlement) => settle(settlement)));
      for (const settlement of batch) this.#waiting.delete(nameOf(settlement));
    }
  }
}
