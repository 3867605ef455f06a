import type { Services } from '../contracts/services.ts';

/** The shared resources that one configuration generation uses. */
export interface ResourceHolder {
  /** Returns the resource of this key, created on first use. Every holder gets the same one, across reloads. */
  readonly shared: Services['shared'];
  /** Releases all of them. Resources without another holder are disposed of, the latest created first. */
  release(): Promise<void>;
}

export interface SharedResources {
  createHolder(): ResourceHolder;
}

interface SharedResource {
  readonly value: unknown;
  readonly dispose: () => void | Promise<void>;
  readonly holders: Set<ResourceHolder>;
}

/**
 * Resources that survive reloads, by reference count. The type of a resource is up to its creator: each key is used in
 * one place only.
 */
export function createSharedResources(): SharedResources {
  const resources = new Map<string, SharedResource>();
  const removeHolder = (holder: ResourceHolder): readonly SharedResource[] =>
    [...resources].reverse().flatMap(([key, resource]) => {
      if (!resource.holders.delete(holder) || resource.holders.size > 0) return [];
      resources.delete(key);
      return [resource];
    });
  return {
    createHolder: () => {
      const holder: ResourceHolder = {
        shared: <T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T => {
          const known = resources.get(key);
          if (known !== undefined) {
            known.holders.add(holder);
            return known.value as T;
          }
          const value = create();
          resources.set(key, { value, dispose: () => dispose?.(value), holders: new Set([holder]) });
          return value;
        },
        release: async () => {
          await Promise.allSettled(removeHolder(holder).map(async ({ dispose }) => dispose()));
        },
      };
      return holder;
    },
  };
}
