import { hash } from 'node:crypto';
import type { Caller } from '../../contracts/caller.ts';
import type { ItemLimits, KeptEntries } from './kept-items.ts';

/** How long an object is known. OpenAI keeps responses, and Anthropic containers, for 30 days. */
export const KEEP_MS = 30 * 24 * 3_600_000;

/** The credential at which an object is stored. */
export interface StateLocation {
  /** Name of the provider in the configuration. */
  readonly provider: string;
  /** Id of the credential. */
  readonly credential: string;
}

/** Where an object is stored, and for which project. */
export interface StateRecord extends StateLocation {
  /** Digest of organization and project. */
  readonly owner: string;
}

/**
 * The records of objects that vendors store, by the digest of their ids. An object that another project created first
 * keeps its record.
 */
export interface StateRecords {
  /** In the order of the digests; null: there is none. @throws if the store does not respond */
  find(digests: readonly string[]): StateFound | Promise<StateFound>;
  /** @returns a promise only if it has to wait. @throws if the store does not respond */
  add(digests: readonly string[], record: StateRecord): unknown;
  /** The items of responses that the gateway has kept, in the order of the keys; null: none. @throws as `find` */
  readItems(keys: readonly string[]): KeptTexts | Promise<KeptTexts>;
  /** @returns and throws as `add` */
  writeItems(entries: KeptEntries, limits: ItemLimits): unknown;
}

export type KeptTexts = readonly (string | null)[];

export type StateFound = readonly (StateRecord | null)[];

/** 128 bits: enough that no two ids meet, and half the memory. */
const LENGTH = 22;
const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, LENGTH);

/** The key of an item: only its project finds it. */
export const digestItem = (owner: string, id: string): string => digest(`${owner} ${id}`);

export const digestId = (id: string): string => digest(id);

export const digestOwner = ({ organization, project }: Pick<Caller, 'organization' | 'project'>): string =>
  digest(JSON.stringify([organization, project]));
