import { isObject, type ConfigPath } from '../../core/index.ts';
import type { Group } from './groups.ts';
import type { Note } from './notes.ts';
import { listOf, textOf } from './read.ts';
import type { Setting } from './setting.ts';

/** Which groups stand in for which, in order. */
export type Fallbacks = (group: string) => readonly Group[];

const readNames = (list: unknown, at: ConfigPath, groups: ReadonlyMap<string, Group>, note: Note): readonly Group[] =>
  (Array.isArray(list) ? list : [list]).flatMap((item: unknown, index) => {
    const name = textOf(isObject(item) ? item['model'] : item);
    const group = name === undefined ? undefined : groups.get(name);
    if (isObject(item) && Object.keys(item).some((member) => member !== 'model'))
      note([...at, index], 'A fallback gets the request as it is: what it changes beside the model is left out.');
    if (group === undefined)
      note(
        [...at, index],
        `${name === undefined ? 'The fallback' : `The fallback "${name}"`} is none of the models that were carried over. It is left out.`,
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
    listOf(list).flatMap((entry, index) =>
      (isObject(entry) ? Object.entries(entry) : []).map(([name, names]) => {
        if (name !== '*' && !groups.has(name))
          note(
            [...at, index, name],
            `"${name}" is none of the models that were carried over, so its fallbacks are left out.`,
          );
        return [name, readNames(names, [...at, index, name], groups, note)] as const;
      }),
    ),
  );

/** `fallbacks` and `default_fallbacks`, wherever they stand; what router_settings say holds before litellm_settings. */
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
