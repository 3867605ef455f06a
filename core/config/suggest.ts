/**
 * The edit distance of two words: insertions, deletions, replacements and swaps of neighbours.
 * https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance (optimal string alignment)
 */
const calculateDistance = (from: string, to: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : Infinity;
      current[column] = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced, swapped);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? Infinity;
};

/** The known word that was probably meant; undefined when none is similar enough. */
export function selectSuggestion(word: string, known: Iterable<string>): string | undefined {
  const maxDistance = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > maxDistance) continue;
    const distance = calculateDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= maxDistance && (best === undefined || distance < best.distance))
      best = { word: candidate, distance };
  }
  return best?.word;
}

/** ` Did you mean "baseUrl"?`, or an empty string. */
export function describeSuggestion(word: string, known: Iterable<string>): string {
  const suggestion = selectSuggestion(word, known);
  return suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
}
