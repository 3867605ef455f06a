/** A list in a random order, which is the same for the same seed: an integer. */
export const shuffle = <T>(list: readonly T[], seed: number): readonly T[] => {
  // A linear congruential generator, with the constants of Numerical Recipes.
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return list
    .map((item) => ({ item, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
};
