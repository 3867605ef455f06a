import { type JsonObject, omitUndefined } from '../../../../../core/index.ts';

/** `{ [name]: … }` with all members merged, or nothing when there are none. */
export function mergeMembers(name: string, ...members: readonly Readonly<JsonObject>[]): JsonObject {
  const merged = omitUndefined(Object.assign({}, ...members) as JsonObject);
  return Object.keys(merged).length === 0 ? {} : { [name]: merged };
}
