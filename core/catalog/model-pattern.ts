import { escapeRegExp } from '../canonical/text/escape-reg-exp.ts';

/** Compiles patterns of catalog ids, in which `*` matches any characters. An empty list allows every id. */
export function compilePatterns(patterns: readonly string[]): (id: string) => boolean {
  if (patterns.length === 0) return () => true;
  const source = patterns.map((pattern) => pattern.split('*').map(escapeRegExp).join('.*')).join('|');
  const matcher = new RegExp(`^(?:${source})$`, 's');
  return (id) => matcher.test(id);
}

const compiled = new WeakMap<readonly string[], (id: string) => boolean>();

/** Whether the patterns allow the model. Each list is compiled once. */
export function allowsModel(patterns: readonly string[], id: string): boolean {
  let allows = compiled.get(patterns);
  if (allows === undefined) {
    allows = compilePatterns(patterns);
    compiled.set(patterns, allows);
  }
  return allows(id);
}
