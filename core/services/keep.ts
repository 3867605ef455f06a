export interface Keeper {
  /** Get or create. The same key is the same thing, across reloads. */
  keep<T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T;
  close(): Promise<void>;
}

interface Kept {
  readonly value: unknown;
  readonly dispose: () => void | Promise<void>;
}

/** What outlives a reload. The value's type belongs to the caller: one key is used by one place. */
export const createKeeper = (): Keeper => {
  const kept = new Map<string, Kept>();
  return {
    keep: <T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T => {
      const known = kept.get(key);
      if (known !== undefined) return known.value as T;
      const value = create();
      kept.set(key, { value, dispose: () => dispose?.(value) });
      return value;
    },
    close: async () => {
      const disposals = [...kept.values()].reverse().map(async ({ dispose }) => dispose());
      kept.clear();
      await Promise.allSettled(disposals);
    },
  };
};
