/** A value under watch: what was read of it, by path. */
export interface ReadRecord<T> {
  /** To be handed to the code under test in place of the value. A copy: the original is never touched. */
  readonly value: T;
  /** Paths of the scalars that nobody has read so far, e.g. `turns[0].parts[1].detail`. */
  unread(): string[];
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const join = (path: string, key: string, parent: object): string =>
  Array.isArray(parent) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** Paths of all scalars within a value, and of its empty containers. */
const listLeaves = (value: unknown, path = ''): string[] => {
  if (value === undefined) return [];
  if (!isContainer(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, child]) => listLeaves(child, join(path, key, value)));
};

/**
 * Wraps a value so that every read of a member is remembered: the law that an encoder must read every field, or name it as lost, is checked with it.
 * Objects that are passed on untouched count as read once they are serialised: hold the result under watch until then.
 */
export function recordReads<T>(original: T): ReadRecord<T> {
  const copy = structuredClone(original);
  const read = new Set<string>();
  /** By path, not by object: a value may stand in two places. */
  const wrapped = new Map<string, object>();
  const wrap = (target: object, path: string): object => {
    const known = wrapped.get(path);
    if (known !== undefined) return known;
    const proxy = new Proxy(target, {
      get(object, key, receiver) {
        const found: unknown = Reflect.get(object, key, receiver);
        if (typeof key === 'symbol' || !Object.hasOwn(object, key)) return found;
        const at = join(path, key, object);
        read.add(at);
        return isContainer(found) ? wrap(found, at) : found;
      },
    });
    wrapped.set(path, proxy);
    return proxy;
  };
  return {
    value: (isContainer(copy) ? wrap(copy, '') : copy) as T,
    unread: () => listLeaves(copy).filter((path) => !read.has(path)),
  };
}
