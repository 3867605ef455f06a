/** Random choices, repeatable by seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [0, limit). */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose mutations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined && list.length === 0) throw new Error('cannot pick from an empty list');
      return picked as (typeof list)[number];
    },
  };
}

/** The random choices of a case of a run. */
export const randomOf = (seed: number, number: number): Random => createRandom(seed * 1_000_003 + number);
