/**
 * Each of the things in its turn, for this share of the calls: spread evenly, and every thing as often as any other. No dice, so that a short
 * run has everything in it too.
 */
export function createTurns<T>(things: readonly T[], share: number): () => T | undefined {
  let owed = 0;
  let given = 0;
  return () => {
    owed += share;
    if (owed < 1) return undefined;
    owed -= 1;
    given += 1;
    return things[(given - 1) % things.length];
  };
}
