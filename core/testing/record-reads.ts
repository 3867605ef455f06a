/** A recorded value: which of its members were read, by path. */
export interface ReadRecord<T> {
  /** A copy to pass to the code under test. The original is not touched. */
  readonly value: T;
  /** Paths of the scalars that have not been read, e.g. `turns[0].parts[1].detail`. */
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
 * Records every read of a member, for the law that an encoder must read every member or report it as lost. Objects that
 * are passed on unread count as read when they are serialised.
 */
export function recordReads<T>(original: T): ReadRecord<T> {
  const copy = structuredClone(original);
  const read = new Set<string>();
  /** By path, not by object: a value can occur in two places. */
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
