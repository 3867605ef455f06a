import type { Steps } from '../services/slices.ts';

/** A member of a value: of the object or list at `parent`, in the order in which members are set. */
export type Member = readonly [parent: readonly string[], name: string, value: unknown];

/** The values of one part, counted with all that is in them: reading one takes a few milliseconds. */
const MOST = 2_000;

type Container = Record<string, unknown>;

/** An object or a list that JSON could hold. */
const isContainer = (value: unknown): value is Container => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Its values with all that is in them. Counted up to a little more than {@link MOST}. */
const sizeOf = (value: unknown): number => {
  if (!isContainer(value)) return 1;
  let size = 1;
  for (const name in value) {
    size += sizeOf(value[name]);
    if (size > MOST) break;
  }
  return size;
};

/** Splits a value into parts of a bounded size. An object that is too large comes empty, and its members after it. */
export function* splitParts(root: Container): Generator<readonly Member[], void, undefined> {
  let part: Member[] = [];
  let size = 0;
  function* add(
    parent: readonly string[],
    name: string,
    value: unknown,
  ): Generator<readonly Member[], void, undefined> {
    const own = sizeOf(value);
    const isLarge = own > MOST && isContainer(value);
    if (size + (isLarge ? 1 : own) > MOST && part.length > 0) {
      yield part;
      [part, size] = [[], 0];
    }
    size += isLarge ? 1 : own;
    part.push([parent, name, isLarge ? (Array.isArray(value) ? [] : {}) : value]);
    if (!isLarge) return;
    const path = [...parent, name];
    for (const [each, member] of Object.entries(value)) yield* add(path, each, member);
  }
  for (const [name, member] of Object.entries(root)) yield* add([], name, member);
  yield part;
}

const setMember = (container: Container, name: string, value: unknown): void => {
  if (name === '__proto__') Object.defineProperty(container, name, { value, enumerable: true, configurable: true });
  else container[name] = value;
};

const memberOf = (value: unknown, name: string): unknown =>
  isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isSameKind = (one: unknown, other: unknown): one is Container =>
  isContainer(one) && isContainer(other) && Array.isArray(one) === Array.isArray(other);

/** Takes the members that are equal from an earlier object. @returns that object if all are, in the same order */
const keepEqual = (before: unknown, value: unknown): unknown => {
  if (!isContainer(value) || !isSameKind(before, value)) return value;
  for (const name in value) {
    const kept = keepEqual(memberOf(before, name), value[name]);
    if (kept !== value[name]) setMember(value, name, kept);
  }
  return hasSameMembers(before, value) ? before : value;
};

const hasSameMembers = (before: Container, value: Container): boolean => {
  const [names, earlier] = [Object.keys(value), Object.keys(before)];
  return (
    names.length === earlier.length &&
    names.every((name, index) => name === earlier[index] && Object.is(value[name], before[name]))
  );
};

/** Freezes a value and all that is in it. What is frozen already is left out. */
const freeze = (value: unknown): void => {
  if (!isContainer(value) || Object.isFrozen(value)) return;
  for (const name in value) freeze(value[name]);
  Object.freeze(value);
};

/**
 * Puts a value together again, and freezes it. Objects that are equal to those of an earlier value are not kept twice:
 * the earlier ones are used.
 */
export function* joinParts<T extends object>(parts: Iterable<readonly Member[]>, before: unknown): Steps<T> {
  const root: Container = {};
  /** The objects whose members come after them, each with its place. */
  const large: [holder: Container, name: string, before: unknown][] = [];
  const findLarge = new Map<readonly string[], readonly [Container, before: unknown]>();
  const open = (path: readonly string[]): readonly [Container, before: unknown] => {
    let [container, earlier]: [Container, unknown] = [root, before];
    for (const name of path) [container, earlier] = [container[name] as Container, memberOf(earlier, name)];
    return [container, earlier];
  };
  for (const part of parts) {
    findLarge.clear();
    for (const [parent, name, value] of part) {
      let found = findLarge.get(parent);
      if (found === undefined) findLarge.set(parent, (found = open(parent)));
      const [holder, earlier] = found;
      const its = memberOf(earlier, name);
      const isLarge = isContainer(value) && Object.keys(value).length === 0;
      if (isLarge) large.push([holder, name, its]);
      setMember(holder, name, isLarge ? value : keepEqual(its, value));
      if (!isLarge) freeze(holder[name]);
    }
    yield;
  }
  // Members before what they are in.
  for (const [holder, name, its] of large.toReversed()) {
    const value = holder[name];
    if (isContainer(value) && isSameKind(its, value) && hasSameMembers(its, value)) setMember(holder, name, its);
    else freeze(value);
    yield;
  }
  return root as T;
}
