/** Looks up a table by a name from outside. A plain index would find inherited members such as `constructor`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
