import { isObject } from '../../canonical/json/members.ts';
import { lookUp } from '../../canonical/json/read.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { OtherNames, WireTraits } from '../../contracts/capabilities.ts';
import { describeField } from './field-name.ts';

const MAX_LENGTH = 512;
/** `a.b[2]` as `a`, `b` and `[2]`. */
const STEPS = /[^.[\]]+|\[\d+\]/g;
const INDEX = /^\[(\d+)\]$/;

const splitPath = (path: string): readonly string[] => path.match(STEPS) ?? [];

/** How far a name leads into the body. */
interface Found {
  readonly path: string;
  /** The steps that the body does not have. */
  readonly left: number;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
/** Google accepts two spellings of each member. */
const fold = (name: string): string => name.replaceAll('_', '').toLowerCase();

const findKey = (node: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  if (Object.hasOwn(node, name)) return isAbsent(node[name]) ? undefined : name;
  const folded = fold(name);
  return Object.keys(node).find((key) => fold(key) === folded && !isAbsent(node[key]));
};

/** The items of a list that have a member, by its folded name. Lists in the list are under an empty name. */
type Owners = ReadonlyMap<string, readonly number[]>;

const indexOwners = (list: readonly unknown[]): Owners => {
  const owners = new Map<string, number[]>();
  for (const [at, item] of list.entries()) {
    const names = Array.isArray(item) ? [''] : new Set(Object.keys(isObject(item) ? item : {}).map(fold));
    for (const name of names) {
      const known = owners.get(name);
      if (known === undefined) owners.set(name, [at]);
      else known.push(at);
    }
  }
  return owners;
};

class PathFinder {
  readonly #names: OtherNames;
  /** A list is searched once for all losses: each of its items can lose a member of another name. */
  readonly #owners = new Map<readonly unknown[], Owners>();

  constructor(names: OtherNames) {
    this.#names = names;
  }

  /** @param used other names that led here: one can contain another, or itself */
  find(node: unknown, steps: readonly string[], path: string, used: ReadonlySet<string> = new Set()): Found {
    const nowhere = { path, left: steps.length };
    if (steps.length === 0) return nowhere;
    if (Array.isArray(node)) return this.#findItem(node, steps, path, used) ?? nowhere;
    return isObject(node) ? this.#findMember(node, steps, path, used) : nowhere;
  }

  /** A name without an index stands for the first item that has it. */
  #findItem(
    list: readonly unknown[],
    steps: readonly string[],
    path: string,
    used: ReadonlySet<string>,
  ): Found | undefined {
    const [step = '', ...others] = steps;
    const index = INDEX.exec(step)?.[1];
    if (index !== undefined)
      return Number(index) < list.length
        ? this.find(list[Number(index)], others, `${path}[${index}]`, used)
        : undefined;
    for (const at of this.#listOwners(list, steps, used)) {
      const found = this.find(list[at], steps, `${path}[${at}]`, used);
      if (found.left === 0) return found;
    }
    return undefined;
  }

  #listOwners(list: readonly unknown[], steps: readonly string[], used: ReadonlySet<string>): readonly number[] {
    let owners = this.#owners.get(list);
    if (owners === undefined) this.#owners.set(list, (owners = indexOwners(list)));
    const found = new Set(owners.get(''));
    for (const name of this.#listFirstNames(steps, used)) for (const at of owners.get(name) ?? []) found.add(at);
    return [...found].sort((one, other) => one - other);
  }

  /** The folded names of the member with which a path of these steps can begin. */
  #listFirstNames(steps: readonly string[], used: ReadonlySet<string>): readonly string[] {
    const names = [fold(steps[0] ?? '')];
    for (const [name, spelled] of this.#spell(steps, used))
      names.push(...this.#listFirstNames(spelled, new Set([...used, name])));
    return names;
  }

  /** The other spellings of a path, each with the name that it replaces. */
  *#spell(steps: readonly string[], used: ReadonlySet<string>): Iterable<readonly [string, readonly string[]]> {
    for (let count = steps.length; count > 0; count -= 1) {
      const name = steps.slice(0, count).join('.');
      if (used.has(name)) continue;
      for (const other of lookUp(this.#names, name) ?? []) yield [name, [...splitPath(other), ...steps.slice(count)]];
    }
  }

  #findMember(
    node: Readonly<Record<string, unknown>>,
    steps: readonly string[],
    path: string,
    used: ReadonlySet<string>,
  ): Found {
    const [step = '', ...others] = steps;
    const key = findKey(node, step);
    let best: Found = { path, left: steps.length };
    if (key !== undefined) {
      best = this.find(node[key], others, path === '' ? key : `${path}.${key}`, used);
      if (best.left === 0) return best;
    }
    for (const [name, spelled] of this.#spell(steps, used)) {
      const found = this.find(node, spelled, path, new Set([...used, name]));
      if (found.left === 0) return found;
    }
    return best;
  }
}

/**
 * Returns the name of a loss of a request as the client wrote it: the path of a member of its body. A member that the
 * client wrote under another name is named by that; where the body has only the first steps of a path, they are the
 * name. A name of which the body has nothing stays.
 */
export function createLocateName(
  body: unknown,
  { otherNames = {}, fieldNames }: WireTraits,
): (name: string, kind: Loss['kind']) => string {
  const finder = new PathFinder(otherNames);
  const conversation = describeField({ fieldNames }, 'conversation');
  return (name, kind) => {
    // A longer name is made of the client's own member names.
    if (name.length > MAX_LENGTH) return name;
    const { path, left } = finder.find(body, splitPath(name), '');
    if (left > 0 && kind === 'injected' && !name.startsWith(conversation)) return name;
    return path === '' ? name : path;
  };
}

/** Objects and lists between `tools` and a declaration. */
const DEPTH = 3;

const addTools = (paths: Map<string, string>, declared: unknown, path: string, depth: number): void => {
  if (isObject(declared) && typeof declared['name'] === 'string' && !paths.has(declared['name']))
    paths.set(declared['name'], path);
  if (depth < 0) return;
  if (Array.isArray(declared))
    for (const [index, item] of declared.entries()) addTools(paths, item, `${path}[${index}]`, depth - 1);
  else if (isObject(declared))
    for (const [member, value] of Object.entries(declared)) addTools(paths, value, `${path}.${member}`, depth - 1);
};

/** The paths of the declarations of tools: for each name, of the first object that has it. */
export function locateTools(declared: unknown, path: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  addTools(paths, declared, path, DEPTH);
  return paths;
}
