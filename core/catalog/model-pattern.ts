/** Patterns of catalog ids: `*` stands for any characters. An empty list allows everything. */
export function compilePatterns(patterns: readonly string[]): (id: string) => boolean {
  if (patterns.length === 0) return () => true;
  const source = patterns.map((pattern) => pattern.split('*').map(RegExp.escape).join('.*')).join('|');
  const matcher = new RegExp(`^(?:${source})$`, 's');
  return (id) => matcher.test(id);
}

const compiled = new WeakMap<readonly string[], (id: string) => boolean>();

/** May the holder of these patterns use the model? Compiled once per list. */
export function allowsModel(patterns: readonly string[], id: string): boolean {
  let allows = compiled.get(patterns);
  if (allows === undefined) {
    allows = compilePatterns(patterns);
    compiled.set(patterns, allows);
  }
  return allows(id);
}
