import type { JsonObject } from '../wire.ts';

/**
 * Copies an object without the members that are `undefined`, where an absent member differs from an undefined one: in
 * objects that are compared, listed or spread over others. `T` comes from where the result is used, so that a literal
 * with an unknown member is an error; in a spread, name it: `...omitUndefined<Partial<Model>>({ … })`.
 * @example omitUndefined({ model: 'm', seed: undefined }) // { model: 'm' }
 */
export function omitUndefined<T extends object = JsonObject>(value: NoInfer<T>): T {
  const members = value as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined) kept[name] = members[name];
  return kept as T;
}
