/**
 * Returns the items in turn for this share of the calls, evenly spread, and `undefined` for all others. It is not
 * random, so that a short run has every item as well.
 */
export function createRotation<T>(items: readonly T[], share: number): () => T | undefined {
  let due = 0;
  let returned = 0;
  return () => {
    due += share;
    if (due < 1) return undefined;
    due -= 1;
    returned += 1;
    return items[(returned - 1) % items.length];
  };
}
