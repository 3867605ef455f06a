/** In a larger catalog, the nearest model is not searched. */
const MAX_MODELS = 2_000;
/** More providers than these are not listed. */
const MAX_LISTED = 10;

/** The fewest insertions, deletions and replacements after which the pattern matches the id. `*` matches any text. */
const countEdits = (pattern: string, id: string): number => {
  let last = Array.from({ length: id.length + 1 }, (_, column) => column);
  for (const letter of pattern) {
    const current = [(last[0] ?? 0) + (letter === '*' ? 0 : 1)];
    for (let column = 1; column <= id.length; column += 1) {
      const [left, above, before] = [current[column - 1] ?? 0, last[column] ?? 0, last[column - 1] ?? 0];
      current[column] =
        letter === '*'
          ? Math.min(left, above)
          : Math.min(left + 1, above + 1, before + (letter === id[column - 1] ? 0 : 1));
    }
    last = current;
  }
  return last.at(-1) ?? Infinity;
};

const findNearest = (pattern: string, ids: readonly string[]): string | undefined => {
  const literal = pattern.replaceAll('*', '').length;
  const most = Math.min(Math.max(2, Math.floor(literal / 3)), literal - 1);
  const [nearest] = ids
    .map((id) => ({ id, edits: countEdits(pattern, id) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.id;
};

const prefixesOf = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => id.slice(0, id.indexOf('/') + 1))),
];

/**
 * What a pattern that matches no model probably means: a sentence with a space before it, or an empty text.
 * @param ids of all models
 * @param matches whether an id matches a pattern
 */
export function describeNearest(
  pattern: string,
  ids: readonly string[],
  matches: (pattern: string, id: string) => boolean,
): string {
  if (ids.length > MAX_MODELS) return '';
  const named = ids.filter((id) => matches(`*/${pattern}`, id));
  if (named.length > 0) {
    const prefixes = prefixesOf(named);
    const meant = `${prefixes.length === 1 ? prefixes[0] : '*/'}${pattern}`;
    return ` Ids begin with the provider: did you mean ${JSON.stringify(meant)}?`;
  }
  const nearest = findNearest(pattern, ids);
  if (nearest !== undefined) return ` The nearest model is ${JSON.stringify(nearest)}.`;
  const prefixes = prefixesOf(ids);
  return prefixes.length === 0 || prefixes.length > MAX_LISTED ? '' : ` Ids begin with ${prefixes.join(', ')}.`;
}
