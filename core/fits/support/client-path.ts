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

class PathFinder {
  readonly #names: OtherNames;

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
    for (const [at, item] of list.entries()) {
      const found = this.find(item, steps, `${path}[${at}]`, used);
      if (found.left === 0) return found;
    }
    return undefined;
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
    for (let count = steps.length; count > 0; count -= 1) {
      const name = steps.slice(0, count).join('.');
      if (used.has(name)) continue;
      for (const other of lookUp(this.#names, name) ?? []) {
        const found = this.find(node, [...splitPath(other), ...steps.slice(count)], path, new Set([...used, name]));
        if (found.left === 0) return found;
      }
    }
    return best;
  }
}

/**
 * The name of a loss as the client wrote it: the path of a member of its body. A member that the client wrote under
 * another name is named by that; where the body has only the first steps of a path, they are the name. A name of which
 * the body has nothing stays.
 */
export function locateName(
  name: string,
  kind: Loss['kind'],
  body: unknown,
  { otherNames = {}, fieldNames }: WireTraits,
): string {
  // A longer name is made of the client's own member names.
  if (name.length > MAX_LENGTH) return name;
  const { path, left } = new PathFinder(otherNames).find(body, splitPath(name), '');
  if (left > 0 && kind === 'injected' && !name.startsWith(describeField({ fieldNames }, 'conversation'))) return name;
  return path === '' ? name : path;
}

/** Objects and lists between `tools` and a declaration. */
const DEPTH = 3;

/** The path of a declaration: of the object with this name. */
export function locateTool(declared: unknown, name: string, path: string, depth = DEPTH): string | undefined {
  if (isObject(declared) && declared['name'] === name) return path;
  if (depth < 0) return undefined;
  const inside: readonly (readonly [step: string, value: unknown])[] = Array.isArray(declared)
    ? declared.map((item: unknown, index) => [`[${index}]`, item])
    : Object.entries(isObject(declared) ? declared : {}).map(([member, value]) => [`.${member}`, value]);
  for (const [step, value] of inside) {
    const found = locateTool(value, name, path + step, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
