import { setBounded } from '../../../core/api/internal.ts';
import type { Debits, SharedStore } from './store.ts';

/** A settlement that could not be sent to its store, or the debits of an exchange that this host had admitted alone. */
export type PendingSettlement = { readonly tenant: string; readonly id: string } & (
  | {
      readonly actual: readonly number[];
      readonly endedAt?: number | undefined;
      /** It was sent, and there was no reply. */
      readonly isSent?: boolean;
      /** Counted if the store has lost the reservation. */
      readonly debits?: Debits;
    }
  | { readonly debits: Debits; readonly isSent?: false }
);

/** A request whose reservation was not answered in time can have been admitted by this host, with the same id. */
const nameOf = (settlement: PendingSettlement): string =>
  'actual' in settlement ? settlement.id : `debit ${settlement.id}`;

const send = async (store: Pick<SharedStore, 'settle' | 'debit'>, settlement: PendingSettlement): Promise<void> => {
  const { tenant, id, debits, isSent } = settlement;
  if ('actual' in settlement) {
    const settled = await store.settle(tenant, id, settlement.actual, settlement.endedAt);
    if (settled !== undefined) return;
  }
  if (debits !== undefined) await store.debit(tenant, id, debits, isSent);
};

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

  /**
   * Adds to a settlement what counts if the store has lost its reservation.
   * @returns false: there is no such settlement
   */
  addDebits(id: string, debits: Debits): boolean {
    const settlement = this.#waiting.get(id);
    if (settlement === undefined || !('actual' in settlement)) return false;
    this.#waiting.set(id, { ...settlement, debits });
    return true;
  }

  /** Sends all of them, oldest first. Those that could not be sent stay. @throws what the store throws */
  async flush(store: Pick<SharedStore, 'settle' | 'debit'>): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#waiting.values().take(BATCH).toArray();
      await Promise.all(batch.map((settlement) => send(store, settlement)));
      for (const settlement of batch) this.#waiting.delete(nameOf(settlement));
    }
  }
}
