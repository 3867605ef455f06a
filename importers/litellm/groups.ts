import type { Deployment } from './deployments.ts';
import type { Note } from './notes.ts';

/** The deployments of one `model_name`, which clients ask for, and the id that the catalog has for it. */
export interface Group {
  readonly name: string;
  readonly id: string;
  readonly deployments: readonly Deployment[];
}

/** Ids and aliases have no spaces, and nothing that would be taken for a variable. */
export const tidyName = (name: string): string =>
  name
    .trim()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/^\/+|\/+$/g, '')
    .replaceAll('${', '{');

/** @returns by `model_name`, in the order of the source */
export function groupDeployments(deployments: readonly Deployment[], note: Note): ReadonlyMap<string, Group> {
  const ids = new Set<string>();
  const choose = (name: string, provider: string): string => {
    const wished = tidyName(name).includes('/') ? tidyName(name) : `${provider}/${tidyName(name)}`;
    let id = wished;
    for (let number = 2; ids.has(id); number += 1) id = `${wished}-${number}`;
    ids.add(id);
    return id;
  };
  // Names that are ids as they stand go first: no other may take them.
  const byName = Map.groupBy(deployments, ({ group }) => group);
  const named = new Map(
    [...byName.keys()]
      .toSorted((one, other) => Number(other.includes('/')) - Number(one.includes('/')))
      .map((name) => [name, choose(name, byName.get(name)?.[0]?.provider ?? '')]),
  );
  for (const [name, [first]] of byName)
    if (first !== undefined && tidyName(name) !== name)
      note(
        [...first.at, 'model_name'],
        `Names have no spaces, no \${ and no slash at their ends here. Clients ask for "${tidyName(name)}".`,
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

/** What clients go on asking for, where it is not the id itself. */
export const aliasOf = ({ name, id }: Group): readonly (readonly [alias: string, id: string])[] =>
  name === id ? [] : [[tidyName(name), id]];
