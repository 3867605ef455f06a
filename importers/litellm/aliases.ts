import type { JsonObject } from '../../core/api/index.ts';
import { isObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { normalizeName } from '../shared/names.ts';
import type { Note } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import { aliasOf, type Group } from './groups.ts';

/** The groups that a table of aliases names, by alias. */
export const listAliased = (table: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isObject(table) ? table : {}).flatMap(([alias, written]) => {
      const name = textOf(isObject(written) ? written['model'] : written);
      return name === undefined ? [] : [[alias, name] as const];
    }),
  );

/** The names that clients keep using: those of `model_list` and of `model_group_alias`, which takes precedence. */
export function readAliases(
  table: unknown,
  at: ConfigPath,
  groups: ReadonlyMap<string, Group>,
  note: Note,
): JsonObject {
  const ids = new Set([...groups.values()].map(({ id }) => id));
  const aliases: Record<string, string> = Object.fromEntries(
    [...groups.values()].flatMap(aliasOf).filter(([alias]) => !ids.has(alias)),
  );
  for (const [given, written] of Object.entries(isObject(table) ? table : {})) {
    const alias = normalizeName(given);
    const from = [...at, given];
    const name = textOf(isObject(written) ? written['model'] : written);
    const group = name === undefined ? undefined : groups.get(name);
    if (group === undefined)
      note(
        from,
        name === undefined
          ? 'An alias refers to one model here. To combine several, give a model several targets.'
          : `"${name}" is not one of the imported models, so the alias is left out.`,
        ['aliases'],
      );
    else if (group.id === alias) continue;
    else if (ids.has(alias))
      note(from, `There is a model "${alias}", and an alias cannot have the name of a model. It is left out.`, [
        'aliases',
      ]);
    else {
      if (isObject(written) && written['hidden'] === true)
        note(from, 'Aliases cannot be hidden: GET /v1/models lists them like models.', ['aliases']);
      if (alias !== given) note(from, `Names cannot contain spaces here. Clients must use "${alias}".`, ['aliases']);
      if (Object.hasOwn(aliases, alias))
        note(
          from,
          `As in LiteLLM, "${alias}" now refers to "${name}". Use the id of the model of that name to reach it.`,
          ['aliases'],
        );
      aliases[alias] = group.id;
    }
  }
  return aliases;
}
