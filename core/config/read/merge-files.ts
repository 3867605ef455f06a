import { dirname, resolve } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import { readList, readObject } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { ConfigFile } from './config-file.ts';
import type { Path, Problem } from '../problem.ts';
import { rebasePaths } from './rebase-paths.ts';
import { describeDuplicateKey } from './source.ts';

/** The data of several files, merged. */
export interface MergedFiles {
  readonly data: JsonObject;
  /** Keys that two files define. */
  readonly problems: readonly Problem[];
  /**
   * The file that holds a path of the merged data, and the path in that file. A path in no file belongs to the root.
   */
  find(path: Path): Origin;
}

export interface Origin {
  readonly file: ConfigFile;
  readonly path: Path;
}

/** The value that one file has for a section. */
interface Contribution {
  readonly file: ConfigFile;
  readonly value: unknown;
}

interface Section {
  readonly first: ConfigFile;
  readonly value: unknown;
  /** The origins of its entries, by name or index in the merged section. */
  readonly entries: ReadonlyMap<string | number, Origin>;
  readonly problems: readonly Problem[];
}

const duplicateKey = (key: string, again: Origin, first: Origin): Problem =>
  again.file.source.locate({
    path: again.path,
    on: 'key',
    rule: 'duplicate-key',
    message: describeDuplicateKey(key, first.file.source.findKey(first.path)),
  });

type Rebase = (section: string, name: string | number, contribution: Contribution) => unknown;

/** Mappings are merged one level deep. */
const mergeMappings = (name: string, first: ConfigFile, all: readonly Contribution[], rebase: Rebase): Section => {
  const entries = new Map<string, Origin>();
  const values: [string, unknown][] = [];
  const problems: Problem[] = [];
  for (const { file, value } of all)
    for (const [key, entry] of Object.entries(readObject(value))) {
      const origin: Origin = { file, path: [name, key] };
      const earlier = entries.get(key);
      if (earlier === undefined) {
        entries.set(key, origin);
        values.push([key, rebase(name, key, { file, value: entry })]);
      } else problems.push(duplicateKey(key, origin, earlier));
    }
  return { first, value: Object.fromEntries(values), entries, problems };
};

/** Lists are concatenated. */
const mergeLists = (name: string, first: ConfigFile, all: readonly Contribution[], rebase: Rebase): Section => {
  const items = all.flatMap(({ file, value }) =>
    readList(value).map((item, index) => ({ file, path: [name, index], item })),
  );
  return {
    first,
    value: items.map(({ file, item }, index) => rebase(name, index, { file, value: item })),
    entries: new Map(items.entries()),
    problems: [],
  };
};

const mergeSection = (name: string, all: readonly [Contribution, ...Contribution[]], rebase: Rebase): Section => {
  const [first, ...others] = all;
  if (all.every(({ value }) => Array.isArray(value))) return mergeLists(name, first.file, all, rebase);
  if (all.every(({ value }) => isObject(value))) return mergeMappings(name, first.file, all, rebase);
  const path = [name];
  const problems = others.map(({ file }) => duplicateKey(name, { file, path }, { file: first.file, path }));
  return { first: first.file, value: first.value, entries: new Map(), problems };
};

/** @param root the file that has `include`; the `include` of any other file is ignored */
export function mergeFiles(root: ConfigFile, included: readonly ConfigFile[]): MergedFiles {
  const folders = new Map([root, ...included].map((file) => [file, dirname(resolve(file.source.file))]));
  const to = folders.get(root) ?? '';
  const rebase: Rebase = (section, name, { file, value }) =>
    rebasePaths(section, name, value, folders.get(file) ?? to, to);
  const contributions = new Map<string, [Contribution, ...Contribution[]]>();
  for (const file of [root, ...included])
    for (const [name, value] of Object.entries(file.data)) {
      const all = contributions.get(name);
      if (all === undefined) contributions.set(name, [{ file, value }]);
      else if (name !== 'include') all.push({ file, value });
    }
  const sections = new Map([...contributions].map(([name, all]) => [name, mergeSection(name, all, rebase)]));
  return {
    data: Object.fromEntries([...sections].map(([name, { value }]) => [name, value])),
    problems: [...sections.values()].flatMap(({ problems }) => problems),
    find: (path) => {
      const [name, entry, ...below] = path;
      const section = sections.get(String(name));
      const origin = entry === undefined ? undefined : section?.entries.get(entry);
      return origin === undefined
        ? { file: section?.first ?? root, path }
        : { file: origin.file, path: [...origin.path, ...below] };
    },
  };
}
