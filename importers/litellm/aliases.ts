import { isObject, type JsonObject, type ConfigPath } from '../../core/index.ts';
import { aliasOf, tidyName, type Group } from './groups.ts';
import type { Note } from './notes.ts';
import { textOf } from './read.ts';

/** The names that clients go on using: those of `model_list`, and those of `model_group_alias`, which go before them. */
export function readAliases(
  table: unknown,
  at: ConfigPath,
  groups: ReadonlyMap<string, Group>,
  note: Note,
): JsonObject {
  const aliases: Record<string, string> = Object.fromEntries([...groups.values()].flatMap(aliasOf));
  const ids = new Set([...groups.values()].map(({ id }) => id));
  for (const [given, written] of Object.entries(isObject(table) ? table : {})) {
    const alias = tidyName(given);
    const from = [...at, given];
    const name = textOf(isObject(written) ? written['model'] : written);
    const group = name === undefined ? undefined : groups.get(name);
    if (group === undefined)
      note(
        from,
        name === undefined
          ? 'An alias stands for one model here. For several, give a model several targets.'
          : `"${name}" is none of the models that were carried over. The alias is left out.`,
        ['aliases'],
      );
    else if (ids.has(alias))
      note(from, `There is a model "${alias}", and an alias cannot stand before it. It is left out.`, ['aliases']);
    else {
      if (isObject(written) && written['hidden'] === true)
        note(from, 'Aliases are listed by GET /v1/models like any name; none can be hidden.', ['aliases']);
      if (alias !== given) note(from, `Names have no spaces here. Clients ask for "${alias}".`, ['aliases']);
      if (Object.hasOwn(aliases, alias))
        note(
          from,
          `Clients that ask for "${alias}" get "${name}" now, as there. The model of that name is reached by its id.`,
          ['aliases'],
        );
      aliases[alias] = group.id;
    }
  }
  return aliases;
}
