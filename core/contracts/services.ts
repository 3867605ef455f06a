import type { Operation, WireName } from '../canonical/wire.ts';
import type { Caller } from './caller.ts';
import type { Codec } from './codec.ts';

export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
}

/** A key as it is kept: by digest, never by its secret. */
export interface KeyRecord {
  readonly caller: Caller;
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array;
  readonly disabled: boolean;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

export interface KeyDirectory {
  /**
   * The key with this SHA-256 digest, from the configuration or the database.
   * @throws when the database cannot be asked
   */
  find(key: { readonly digest: Uint8Array; readonly text: string }): KeyRecord | undefined | Promise<KeyRecord | undefined>;
}

/** What the core lends to plugins and providers. */
export interface Services {
  readonly log: Log;
  readonly clock: Clock;
  readonly keys: KeyDirectory;
  /** Outlives a reload: buckets, breakers, registries. Same key = same thing; disposed when no runtime holds it. */
  keep<T>(key: string, create: () => T, dispose?: (value: T) => void | Promise<void>): T;
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
}
