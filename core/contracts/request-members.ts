import type { JsonObject } from '../canonical/wire.ts';

/**
 * Rules for members of client requests: those that reference vendor state, and those that limit, price or route a
 * request. Codecs declare them as data; the core checks them before any target is chosen.
 */

/**
 * Whether requests can reference state at a vendor (an earlier response, a file, a cache). All callers share the
 * credential, so such a reference could reach another caller's data. `owned`: only what this gateway has seen created
 * for the project of the caller. `allow`: also what the gateway does not know. `refuse`: nothing.
 */
export type VendorStatePolicy = 'allow' | 'owned' | 'refuse';

/** An object at a vendor whose id is not the value, or its member `id`. Without an id: a new object is created. */
export interface StoredReference {
  readonly id: string | undefined;
  /**
   * What the request is without the object. Absent: nothing, so it is sent only where the object is. `usable`: the
   * project must own the object, and the request can be sent elsewhere. `complete`: the request has the content, and
   * the vendor can hold more of it, so only an object of another project is refused.
   */
  readonly without?: 'usable' | 'complete';
}

/** Tests whether a value is a reference. Called for each entry if the member is a list. */
type IsReference = (value: unknown) => boolean | StoredReference;

/** The members of one object that are references or contain some. Created by {@link defineReferences}. */
export interface References {
  /** By name in lower case, without underscores. */
  readonly members: ReadonlyMap<string, References>;
  readonly isReference?: IsReference;
}
interface Branch extends References {
  readonly members: Map<string, Branch>;
  isReference?: IsReference;
}

const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 64;

/** Bodies repeat a few names, and the rules of several phases fold them. */
const memoizeNames = (fold: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const folded = fold(name);
    if (known.size >= MAX_NAMES) known.clear();
    if (name.length <= MAX_NAME_LENGTH) known.set(name, folded);
    return folded;
  };
};

/** Folds case. Upper case first: some parsers treat the long s and the Kelvin sign as the letters they fold to. */
export const foldCase = memoizeNames((name) => name.toUpperCase().toLowerCase());

/** The form in which names are compared: some vendors ignore case, some accept `snake_case` for `camelCase`. */
export const foldName = memoizeNames((name) => foldCase(name).replaceAll('_', ''));

/**
 * Declares the members of a wire's requests that reference vendor state: responses, conversations, files, caches,
 * containers. A path leads through objects, and through each entry of a list.
 * @param paths `true`: every value counts that is not null, an empty string or an empty list. The id is the value, or
 * its member `id`; otherwise the test returns it
 * @example defineReferences({ 'previous_response_id': true, 'messages.content.file.file_id': true })
 */
export function defineReferences(paths: Readonly<Record<string, true | IsReference>>): References {
  const root: Branch = { members: new Map() };
  for (const [path, test] of Object.entries(paths)) {
    let branch = root;
    for (const name of path.split('.').map(foldName)) {
      const next = branch.members.get(name) ?? { members: new Map() };
      branch.members.set(name, next);
      branch = next;
    }
    branch.isReference = test === true ? (value) => value !== null && value !== '' : test;
  }
  return root;
}

/** Members of one object by their names on the wire; an object as value stands for the members of an inner object. */
export interface MemberNames {
  readonly [name: string]: true | MemberNames;
}

/** The accepted spellings of members that limit, price or route a request. Created by {@link defineSpelling}. */
export interface Spelling {
  /** The form in which two names are compared. */
  fold(name: string): string;
  /** Accepted names by their folded form. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Inner objects by their folded name. */
  readonly inner: ReadonlyMap<string, Spelling>;
}

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Declares members that limit, price or route a request. A body is refused in which such a member occurs twice or in
 * another spelling, because parsers differ in which of two members they use, and some ignore case: the vendor could
 * read another value than the gateway has checked.
 * @param underscores `ignored`: the vendor accepts `snake_case` for `camelCase`, so either spelling is accepted, but
 * not both
 * @example defineSpelling({ model: true, stream_options: { include_usage: true } })
 */
export function defineSpelling(members: MemberNames, underscores: 'kept' | 'ignored' = 'kept'): Spelling {
  const fold = underscores === 'ignored' ? foldName : foldCase;
  const spell = (name: string): readonly string[] =>
    underscores === 'ignored' ? [...new Set([name, toSnake(name)])] : [name];
  return {
    fold,
    names: new Map(Object.keys(members).map((name) => [fold(name), spell(name)])),
    inner: new Map(
      Object.entries(members).flatMap(([name, inner]) =>
        inner === true ? [] : [[fold(name), defineSpelling(inner, underscores)]],
      ),
    ),
  };
}

/**
 * How requests of a wire refer to earlier responses that the gateway has kept, and what takes their place.
 * @example
 * const kept: KeptReferences = {
 *   find: ({ previous_id: id }) => (typeof id === 'string' ? [id] : []),
 *   restore: ({ previous_id: id }, found) => ({ earlier: found.get(String(id)), previous_id: undefined }),
 *   input: ({ items }) => JSON.stringify(items).slice(1, -1),
 * };
 */
export interface KeptReferences {
  /** Requests can refer to items of responses too, by the `id` of an item. Absent: only to whole responses. */
  readonly items?: boolean;
  /** The ids to which a request refers. */
  find(body: Readonly<JsonObject>): readonly string[];
  /**
   * The body with what is known in the place of the references; `undefined` for a member that is removed.
   * @param found the kept JSON by id: of an item the item, of a response the items of its conversation without brackets
   */
  restore(body: Readonly<JsonObject>, found: ReadonlyMap<string, string>): Readonly<Record<string, unknown>>;
  /** The items of the input, as JSON without brackets. */
  input(body: Readonly<JsonObject>): string;
}
