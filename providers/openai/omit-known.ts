import type { JsonObject } from '../../core/index.ts';

/** The members that no reader knows, absent ones left out. */
export function omitKnown(value: Readonly<JsonObject>, known: ReadonlySet<string>): JsonObject {
  const rest: JsonObject = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    // Assigned, that one name would set the prototype.
    if (name === '__proto__' || known.has(name) || member === null || member === undefined) continue;
    rest[name] = member;
  }
  return rest;
}
