import type { Deployment } from './deployments.ts';
import { freeName, normalizeName } from '../shared/names.ts';
import type { Note } from '../shared/notes.ts';

/** The deployments of one `model_name`, and the id of the resulting model. */
export interface Group {
  readonly name: string;
  readonly id: string;
  readonly deployments: readonly Deployment[];
}

/**
 * @param aliases the groups that `model_group_alias` names: its names take precedence, so no other group has them as id
 * @returns by `model_name`, in the order of the source
 */
export function groupDeployments(
  deployments: readonly Deployment[],
  aliases: ReadonlyMap<string, string>,
  note: Note,
): ReadonlyMap<string, Group> {
  const ids = new Set<string>();
  const isTaken = (id: string, name: string): boolean => ids.has(id) || (aliases.get(id) ?? name) !== name;
  const choose = (name: string, provider: string): string => {
    const preferred = normalizeName(name).includes('/') ? normalizeName(name) : `${provider}/${normalizeName(name)}`;
    const id = freeName(preferred, (candidate) => isTaken(candidate, name));
    ids.add(id);
    return id;
  };
  // Names that are already ids come first, so that no other name takes their id.
  const byName = Map.groupBy(deployments, ({ group }) => group);
  const named = new Map(
    [...byName.keys()]
      .toSorted((one, other) => Number(other.includes('/')) - Number(one.includes('/')))
      .map((name) => [name, choose(name, byName.get(name)?.[0]?.provider ?? '')]),
  );
  for (const [name, [first]] of byName)
    if (first !== undefined && normalizeName(name) !== name)
      note(
        [...first.at, 'model_name'],
        `Names cannot contain spaces or \${, or start or end with a slash here. ` +
          `Clients must use "${normalizeName(name)}".`,
        ['models', named.get(name) ?? name],
      );
  return new Map(
    [...byName].map(([name, own]) => [
      name,
      {
        name,
        id: named.get(name) ?? name,
        deployments: own.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0)),
      },
    ]),
  );
}

/** The alias that keeps the name which clients use, unless it would be the id itself. */
export const aliasOf = ({ name, id }: Group): readonly (readonly [alias: string, id: string])[] => {
  const alias = normalizeName(name);
  return alias === id ? [] : [[alias, id]];
};
