import type { JsonObject } from '../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../core/api/codec.ts';

/** `{ [name]: … }` with all members merged, or nothing when there are none. */
export function mergeMembers(name: string, ...members: readonly Readonly<JsonObject>[]): JsonObject {
  const merged = omitUndefined(Object.assign({}, ...members) as JsonObject);
  return Object.keys(merged).length === 0 ? {} : { [name]: merged };
}
