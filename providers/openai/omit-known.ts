import type { JsonObject } from '../../core/api/index.ts';

/** The members of `value` that are not in `known`, without null and undefined ones. */
export function omitKnown(value: Readonly<JsonObject>, known: ReadonlySet<string>): JsonObject {
  const others: JsonObject = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    // Assigning `__proto__` would set the prototype.
    if (name === '__proto__' || known.has(name) || member === null || member === undefined) continue;
    others[name] = member;
  }
  return others;
}
