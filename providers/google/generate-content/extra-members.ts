import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';

/**
 * Extra members are kept in `extra` under their full path, as losses name it: `generationConfig.responseLogprobs`, or
 * in a turn `parts[2].videoMetadata`, by the index of the canonical part. They are restored on this wire, and their
 * path is reported as lost on any other.
 */
export const prefixPaths = (path: string, members: Readonly<JsonObject>): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${path}.${name}`, value]));

export const partPath = (index: number): string => `parts[${index}]`;

/** The inverse of {@link prefixPaths}: the members under the path, and all others. */
export function splitByPath(members: Readonly<JsonObject>, path: string) {
  const prefix = `${path}.`;
  const { inside = [], others = [] } = Object.groupBy(Object.entries(members), ([name]) =>
    name.startsWith(prefix) ? 'inside' : 'others',
  );
  return {
    inside: Object.fromEntries(inside.map(([name, value]) => [name.slice(prefix.length), value])),
    others: Object.fromEntries(others),
  };
}

/** Moves the members under the path `name` into an object of that name. */
export function nestPath(members: Readonly<JsonObject>, name: string): JsonObject {
  const { inside, others } = splitByPath(members, name);
  return Object.keys(inside).length === 0 ? others : { ...others, [name]: inside };
}

/** Splits the extra members of a turn into those of its parts, by path, and members of the content itself. */
export function splitTurnExtra(members: Readonly<JsonObject>): {
  readonly parts: ReadonlyMap<string, JsonObject>;
  readonly own: JsonObject;
} {
  const byPart = Map.groupBy(Object.entries(members), ([path]) => /^parts\[\d+\](?=\.)/.exec(path)?.[0] ?? '');
  const own = Object.fromEntries(byPart.get('') ?? []);
  byPart.delete('');
  return {
    parts: new Map(
      [...byPart].map(([part, entries]) => [
        part,
        Object.fromEntries(entries.map(([path, value]) => [path.slice(part.length + 1), value])),
      ]),
    ),
    own,
  };
}

/** Merges kept members and written ones, object by object. A written member wins; `undefined` if there are none. */
export function mergeMembers(kept: unknown, written: Readonly<JsonObject>): JsonObject | undefined {
  const merged: JsonObject = { ...(isObject(kept) ? kept : {}) };
  for (const [name, value] of Object.entries(written)) {
    if (value !== undefined)
      merged[name] = isObject(value) && isObject(merged[name]) ? mergeMembers(merged[name], value) : value;
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}
