import { isObject, type JsonObject } from '../../core/index.ts';

/** A string of somebody else's JSON, empty when it is anything else. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** A list of somebody else's JSON, empty when it is anything else. */
export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** An object of somebody else's JSON, empty when it is anything else. */
export const readObject = (value: unknown): Readonly<JsonObject> => (isObject(value) ? value : {});

/** The same object without the members that are `undefined`: absent is absent. */
export const present = <T extends object>(value: T): T => {
  const members = value as JsonObject;
  const kept: JsonObject = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined) kept[name] = members[name];
  return kept as T;
};

/** The members that no reader knows, absent ones left out. */
export const without = (value: Readonly<JsonObject>, known: ReadonlySet<string>): JsonObject => {
  const rest: JsonObject = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    // Assigned, that one name would set the prototype.
    if (name === '__proto__' || known.has(name) || member === null || member === undefined) continue;
    rest[name] = member;
  }
  return rest;
};
