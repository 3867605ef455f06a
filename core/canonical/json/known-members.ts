/**
 * Members of an object by their names. `true`: with all values. An inner object stands for the members of an object, or
 * of each object in a list. A list of texts: the values that are known.
 */
export interface KnownNames {
  readonly [name: string]: true | KnownNames | readonly string[];
}

/** The known members of one object. Created by {@link defineKnownMembers}. */
export interface KnownMembers {
  /** Of the object within the outermost one, with a point at its end; empty for the outermost one. */
  readonly path: string;
  readonly members: ReadonlyMap<string, true | KnownMembers | ReadonlySet<unknown>>;
}

const isValues = (known: KnownNames | readonly string[]): known is readonly string[] => Array.isArray(known);

const compile = (names: KnownNames, path: string): KnownMembers => ({
  path,
  members: new Map(
    Object.entries(names).map(([name, known]) => [
      name,
      known === true ? true : isValues(known) ? new Set(known) : compile(known, `${path}${name}.`),
    ]),
  ),
});

/**
 * Declares the members that are known of a foreign object, so that others are noticed.
 * @example defineKnownMembers({ input_tokens: true, cache: { read_tokens: true }, speed: ['standard', 'fast'] })
 */
export const defineKnownMembers = (names: KnownNames): KnownMembers => compile(names, '');
