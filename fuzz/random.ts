/** Random choices that a seed repeats. */
export interface Random {
  /** Of [0, 1). */
  next(): number;
  /** Of [0, most). */
  below(most: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose mutations with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined && list.length === 0) throw new Error('there is nothing to pick from');
      return picked as (typeof list)[number];
    },
  };
}
