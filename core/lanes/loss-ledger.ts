import type { Lose, Loss } from '../canonical/loss.ts';

/** The losses of one attempt, each named once: a stream may lose the same thing in every chunk. */
export interface LossLedger {
  readonly losses: readonly Loss[];
  readonly lose: Lose;
}

export const createLossLedger = (): LossLedger => {
  const losses: Loss[] = [];
  const named = new Set<string>();
  return {
    losses,
    lose: (field, kind, detail) => {
      const name = `${field};${kind}`;
      if (!named.has(name)) losses.push({ field, kind, detail });
      named.add(name);
    },
  };
};
