import { setBounded } from '../../../core/index.ts';

/** What a store has to be told when it answers again. */
export interface PendingSettlement {
  readonly tenant: string;
  readonly id: string;
  readonly actual: readonly number[];
}

/** So many at once, when they are told. */
const BATCH = 100;

export interface PendingSettlements {
  readonly size: number;
  /** The oldest gives way where there are too many; its reservation runs out by itself. */
  add(settlement: PendingSettlement): void;
  /** Tells all of them, oldest first. What could not be told stays. @throws what `settle` throws */
  flush(settle: (settlement: PendingSettlement) => unknown): Promise<void>;
}

/** Settlements that wait for their store. A store settles an id once, so telling it twice does no harm. */
export function createPendingSettlements(most: number, dropped: () => void): PendingSettlements {
  const waiting = new Map<string, PendingSettlement>();
  return {
    get size() {
      return waiting.size;
    },
    add: (settlement) => {
      if (setBounded(waiting, most, settlement.id, settlement) !== undefined) dropped();
    },
    flush: async (settle) => {
      while (waiting.size > 0) {
        const batch = waiting.values().take(BATCH).toArray();
        await Promise.all(batch.map((settlement) => settle(settlement)));
        for (const { id } of batch) waiting.delete(id);
      }
    },
  };
}
