interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

const memoizeIn = <K, V>(made: Memory<K, V>, make: (key: K) => V): ((key: K) => V) => {
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

/** Calls `make` once per key. Keys are configured ids and words of our own, so there are few. */
export const memoize = <K, V>(make: (key: K) => V): ((key: K) => V) => memoizeIn(new Map<K, V>(), make);

/** The same for objects that live as long as a configuration: what was made for one goes with it. */
export const memoizeByObject = <K extends object, V>(make: (key: K) => V): ((key: K) => V) =>
  memoizeIn(new WeakMap<K, V>(), make);
