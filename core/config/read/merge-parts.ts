import { dirname, resolve } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Part } from './part.ts';
import type { Path, Problem } from '../problem.ts';
import { rebasePaths } from './rebase-paths.ts';
import { describeTwice } from './source.ts';

/** Several files as one. */
export interface Merged {
  readonly data: JsonObject;
  /** Keys that two of them give. */
  readonly problems: readonly Problem[];
  /** Which of the files holds a path of the whole, and under which path there. What none of them holds is the first one's. */
  find(path: Path): Place;
}

export interface Place {
  readonly part: Part;
  readonly path: Path;
}

interface Held {
  readonly part: Part;
  readonly value: unknown;
}

interface Section {
  readonly first: Part;
  readonly value: unknown;
  /** Where its entries stand, by their names or indexes in the whole. */
  readonly entries: ReadonlyMap<string | number, Place>;
  readonly problems: readonly Problem[];
}

const sayTwice = (key: string, again: Place, first: Place): Problem =>
  again.part.source.locate({
    path: again.path,
    on: 'key',
    rule: 'duplicate-key',
    message: describeTwice(key, first.part.source.findKey(first.path)),
  });

type Rebase = (section: string, name: string | number, held: Held) => unknown;

/** Mappings are merged one level deep. */
const mergeMappings = (name: string, first: Part, all: readonly Held[], rebase: Rebase): Section => {
  const entries = new Map<string, Place>();
  const values: [string, unknown][] = [];
  const problems: Problem[] = [];
  for (const { part, value } of all)
    for (const [key, entry] of Object.entries(isObject(value) ? value : {})) {
      const place: Place = { part, path: [name, key] };
      const twin = entries.get(key);
      if (twin === undefined) {
        entries.set(key, place);
        values.push([key, rebase(name, key, { part, value: entry })]);
      } else problems.push(sayTwice(key, place, twin));
    }
  return { first, value: Object.fromEntries(values), entries, problems };
};

/** Lists are put one behind the other. */
const mergeLists = (name: string, first: Part, all: readonly Held[], rebase: Rebase): Section => {
  const places = all.flatMap(({ part, value }) =>
    Array.isArray(value) ? value.map((item: unknown, index) => ({ part, path: [name, index], item })) : [],
  );
  return {
    first,
    value: places.map(({ part, item }, index) => rebase(name, index, { part, value: item })),
    entries: new Map(places.entries()),
    problems: [],
  };
};

const mergeSection = (name: string, all: readonly [Held, ...Held[]], rebase: Rebase): Section => {
  const [first, ...others] = all;
  if (all.every(({ value }) => Array.isArray(value))) return mergeLists(name, first.part, all, rebase);
  if (all.every(({ value }) => isObject(value))) return mergeMappings(name, first.part, all, rebase);
  const problems = others.map(({ part }) => sayTwice(name, { part, path: [name] }, { part: first.part, path: [name] }));
  return { first: first.part, value: first.value, entries: new Map(), problems };
};

/** @param root its `include` stays; those of the others are never read */
export function mergeParts(root: Part, included: readonly Part[]): Merged {
  const folderOf = ({ source }: Part): string => dirname(resolve(source.file));
  const rebase: Rebase = (section, name, { part, value }) =>
    rebasePaths(section, name, value, folderOf(part), folderOf(root));
  const held = new Map<string, [Held, ...Held[]]>();
  for (const part of [root, ...included])
    for (const [name, value] of Object.entries(part.data)) {
      const all = held.get(name);
      if (all === undefined) held.set(name, [{ part, value }]);
      else if (name !== 'include') all.push({ part, value });
    }
  const sections = new Map([...held].map(([name, all]) => [name, mergeSection(name, all, rebase)]));
  return {
    data: Object.fromEntries([...sections].map(([name, { value }]) => [name, value])),
    problems: [...sections.values()].flatMap(({ problems }) => problems),
    find: (path) => {
      const [name, entry, ...rest] = path;
      const section = sections.get(String(name));
      const place = entry === undefined ? undefined : section?.entries.get(entry);
      return place === undefined
        ? { part: section?.first ?? root, path }
        : { part: place.part, path: [...place.path, ...rest] };
    },
  };
}
