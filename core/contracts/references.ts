/** May requests refer to what is kept at a provider? Anything there is reached with the credential that all callers share. */
export type VendorStatePolicy = 'allow' | 'refuse';

/** Is this value a reference? Called with each entry where the member is a list. */
type IsReference = (value: unknown) => boolean;

/** The members of one object that are references or hold some. Made by {@link defineReferences}. */
export interface References {
  /** By {@link foldName}. */
  readonly members: ReadonlyMap<string, References>;
  readonly isReference?: IsReference;
}
interface Branch extends References {
  readonly members: Map<string, Branch>;
  isReference?: IsReference;
}

/** How names are compared: some readers ignore letter case, some take `snake_case` for `camelCase`. */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase().replaceAll('_', '');

/**
 * Declares the members of a wire's requests that name something kept at the vendor: answers, conversations, files, caches, containers. A path
 * leads through objects, and through each entry of a list.
 * @param paths `true`: a value that is not null, an empty text or an empty list
 * @example defineReferences({ 'previous_response_id': true, 'messages.content.file.file_id': true, 'tools.container': isText })
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
