import { isObject, type JsonObject } from '../../../../../core/index.ts';

/** Members that were kept and those that are written, in one object at every level; `undefined` when there is nothing in it. */
export function compose(kept: unknown, written: Readonly<JsonObject>): JsonObject | undefined {
  const joined: JsonObject = { ...(isObject(kept) ? kept : {}) };
  for (const [name, value] of Object.entries(written)) {
    if (value !== undefined)
      joined[name] = isObject(value) && isObject(joined[name]) ? compose(joined[name], value) : value;
  }
  return Object.keys(joined).length === 0 ? undefined : joined;
}
