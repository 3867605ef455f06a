/** Whether the texts between the stars are in the id, in order, the first at its start and the last at its end. */
function matches(pieces: readonly string[], id: string): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  const end = id.length - last.length;
  let at = first.length;
  if (at > end || !id.startsWith(first) || !id.endsWith(last)) return false;
  for (const piece of pieces.slice(1, -1)) {
    const found = id.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/**
 * Compiles patterns of ids, in which `*` matches any characters. An empty list allows every id. Regular expressions
 * would need exponential time for patterns such as `*a*a*a*b`.
 */
export function compilePatterns(patterns: readonly string[]): (id: string) => boolean {
  if (patterns.length === 0) return () => true;
  const ids = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wildcards = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return (id) => ids.has(id) || wildcards.some((pieces) => matches(pieces, id));
}
