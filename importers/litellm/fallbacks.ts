import { readList, isObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Group } from './groups.ts';
import type { Note } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import type { Setting } from './setting.ts';

/** Returns the fallbacks of a group, in order. */
export type Fallbacks = (group: string) => readonly Group[];

const readNames = (list: unknown, at: ConfigPath, groups: ReadonlyMap<string, Group>, note: Note): readonly Group[] =>
  (Array.isArray(list) ? list : [list]).flatMap((item: unknown, index) => {
    const name = textOf(isObject(item) ? item['model'] : item);
    const group = name === undefined ? undefined : groups.get(name);
    if (isObject(item) && Object.keys(item).some((member) => member !== 'model'))
      note(
        [...at, index],
        'A fallback gets the request unchanged. The settings of the fallback other than its model are left out.',
      );
    if (group === undefined)
      note(
        [...at, index],
        `${name === undefined ? 'The fallback' : `The fallback "${name}"`} is not one of the imported models. ` +
          'It is left out.',
      );
    return group === undefined ? [] : [group];
  });

const readTable = (
  list: unknown,
  at: ConfigPath,
  groups: ReadonlyMap<string, Group>,
  note: Note,
): ReadonlyMap<string, readonly Group[]> =>
  new Map(
    readList(list).flatMap((entry, index) =>
      (isObject(entry) ? Object.entries(entry) : []).map(([name, names]) => {
        if (name !== '*' && !groups.has(name))
          note([...at, index, name], `"${name}" is not one of the imported models, so its fallbacks are left out.`);
        return [name, readNames(names, [...at, index, name], groups, note)] as const;
      }),
    ),
  );

/** Reads `fallbacks` and `default_fallbacks`. */
export function readFallbacks(setting: Setting, groups: ReadonlyMap<string, Group>, note: Note): Fallbacks {
  const [tableAt, table] = setting('fallbacks') ?? [[], undefined];
  const [defaultsAt, defaults] = setting('default_fallbacks') ?? [[], undefined];
  const byGroup = readTable(table, tableAt, groups, note);
  const forAll = [
    ...(byGroup.get('*') ?? []),
    ...(defaults === undefined ? [] : readNames(defaults, defaultsAt, groups, note)),
  ];
  return (name) => (byGroup.get(name) ?? forAll).filter((group) => group.name !== name);
}
