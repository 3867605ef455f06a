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

/** The form in which names are compared: some vendors ignore case, some accept `snake_case` for `camelCase`. */
export const foldName = (name: string): string => foldCase(name).replaceAll('_', '');

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

/** Folds case. Upper case first: some parsers treat the long s and the Kelvin sign as the letters they fold to. */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();
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
