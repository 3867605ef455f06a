import type { JsonObject } from '../../../canonical/wire.ts';
import type { Filter } from './filter.ts';

/** A resource in the database. Times are Unix milliseconds. */
export interface StoredResource {
  readonly id: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** Grows with each change. */
  readonly version: number;
  /** What clients can set. */
  readonly attributes: JsonObject;
}

export interface ListOptions {
  readonly filter?: Filter | undefined;
  readonly offset: number;
  readonly limit: number;
  /** False: the members of groups are not read. */
  readonly withMembers: boolean;
}

/**
 * The resources of one type. Changes are made one after the other, in all processes that share the database. Methods
 * reject with ScimError, and with `KOINE_STORE_FAILED` while the database is unavailable.
 */
export interface ResourceStore {
  /** Oldest first. */
  list(options: ListOptions): Promise<{ readonly total: number; readonly found: readonly StoredResource[] }>;
  get(id: string, withMembers: boolean): Promise<StoredResource | undefined>;
  create(attributes: JsonObject): Promise<StoredResource>;
  /**
   * @param decide returns the attributes of the present resource; the same object changes nothing. What it throws
   * changes nothing
   * @returns undefined if there is no such resource
   */
  change(
    id: string,
    decide: (present: StoredResource) => JsonObject,
  ): Promise<{ readonly before: StoredResource; readonly after: StoredResource } | undefined>;
  /** @param check what it throws changes nothing. @returns undefined if there is no such resource */
  remove(id: string, check: (present: StoredResource) => void): Promise<StoredResource | undefined>;
}
