import { compilePatterns } from '../canonical/text/compile-patterns.ts';

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
