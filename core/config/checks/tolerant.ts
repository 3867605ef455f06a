import { isObject } from '../../canonical/json/members.ts';

/*
 * Readers of data that may have failed validation, so that the references in its valid parts are checked as well. A
 * value of the wrong type counts as absent.
 */

/** The members of an object. */
export const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : [];
/** An own member of an object. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
/** The member or item at a path. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (from, segment) => (Array.isArray(from) ? from[Number(segment)] : member(from, String(segment))),
    value,
  );
/** A string that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
/** The keys of an object. */
export const names = (value: unknown): ReadonlySet<string> => new Set(isObject(value) ? Object.keys(value) : []);

/**
 * Collects something once for all checks of a configuration, which does not change while they run: several of them need
 * the limits or the keys, and there can be 100,000.
 */
export function collectOnce<T>(collect: (data: unknown) => T): (data: unknown) => T {
  const known = new WeakMap<object, { readonly found: T }>();
  return (data) => {
    if (!isObject(data)) return collect(data);
    const { found } = known.get(data) ?? { found: collect(data) };
    known.set(data, { found });
    return found;
  };
}

/** The models, by id. Many checks go through all of them. */
export const listModels = collectOnce((data) => entries(member(data, 'models')));
