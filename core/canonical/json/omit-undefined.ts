/**
 * Copies an object without the members that are `undefined`, where an absent member differs from an undefined one: in
 * objects that are compared, listed or spread over others.
 * @example omitUndefined({ model: 'm', seed: undefined }) // { model: 'm' }
 */
export function omitUndefined<T extends object>(value: T): T {
  const members = value as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined) kept[name] = members[name];
  return kept as T;
}
