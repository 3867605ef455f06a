import type { JsonObject } from '../wire.ts';
import { isObject } from './members.ts';

/*
 * Readers of JSON that another party wrote, where a value of the wrong type counts as absent. `ObjectMembers` is for
 * requests, where it is the caller's mistake and an error.
 */

/** Looks up a table by a name. A plain index would find inherited members such as `constructor`. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The string, or an empty one. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The array, or an empty one. */
export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object, or an empty one. */
export function readObject(value: unknown): Readonly<JsonObject> {
  return isObject(value) ? value : {};
}

/** The objects of an array; other entries are left out. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return readList(value).filter(isObject);
}
