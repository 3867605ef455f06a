/**
 * The entry of a table under a name that somebody else chose. Every object of JavaScript has a `constructor` and a `toString`:
 * a plain index would find them.
 */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
