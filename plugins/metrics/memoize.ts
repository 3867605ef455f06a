interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

const memoizeIn = <K, V>(cache: Cache<K, V>, make: (key: K) => V): ((key: K) => V) => {
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = make(key);
    cache.set(key, value);
    return value;
  };
};

/**
 * Calls `make` once per key. The cache is unbounded: keys must be ids of the configuration or constants of the code.
 */
export const memoize = <K, V>(make: (key: K) => V): ((key: K) => V) => memoizeIn(new Map<K, V>(), make);

/** Like `memoize`, for objects of a configuration: values are collected together with their key. */
export const memoizeByObject = <K extends object, V>(make: (key: K) => V): ((key: K) => V) =>
  memoizeIn(new WeakMap<K, V>(), make);
