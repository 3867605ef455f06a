import type { Services } from '../contracts/services.ts';

/** What one runtime holds of what is kept. */
export interface ResourceHolder {
  /** Get or create. The same key is the same thing for everyone who holds it, across reloads. */
  readonly shared: Services['shared'];
  /** Lets go of all of it: what nobody else holds is disposed of, the last made first. */
  release(): Promise<void>;
}

export interface SharedResources {
  createHolder(): ResourceHolder;
}

interface Kept {
  readonly value: unknown;
  readonly dispose: () => void | Promise<void>;
  readonly holders: Set<ResourceHolder>;
}

/** What outlives a reload. The value's type belongs to the caller: one key is used by one place. */
export function createSharedResources(): SharedResources {
  const kept = new Map<string, Kept>();
  const leave = (hold: ResourceHolder): readonly Kept[] =>
    [...kept].reverse().flatMap(([key, one]) => {
      if (!one.holders.delete(hold) || one.holders.size > 0) return [];
      kept.delete(key);
      return [one];
    });
  return {
    createHolder: () => {
      const hold: ResourceHolder = {
        shared: <T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T => {
          const known = kept.get(key);
          if (known !== undefined) {
            known.holders.add(hold);
            return known.value as T;
          }
          const value = create();
          kept.set(key, { value, dispose: () => dispose?.(value), holders: new Set([hold]) });
          return value;
        },
        release: async () => {
          await Promise.allSettled(leave(hold).map(async ({ dispose }) => dispose()));
        },
      };
      return hold;
    },
  };
}
