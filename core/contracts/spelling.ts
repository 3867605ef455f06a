/**
 * Members of one object by their names on the wire; an object as the value stands for the members of an inner object.
 */
export interface MemberNames {
  readonly [name: string]: true | MemberNames;
}

/**
 * How a wire writes the members of one object on which limits, prices or the destination depend. Made by
 * {@link defineSpelling}.
 */
export interface Spelling {
  /** The form in which two names are compared. */
  fold(name: string): string;
  /** The accepted names by their folded form. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Inner objects by their folded name. */
  readonly inner: ReadonlyMap<string, Spelling>;
}

/**
 * Without letter case. Upper case first: some parsers take the long s and the Kelvin sign for the letters that they
 * become.
 */
export const foldCase = (name: string): string => name.toUpperCase().toLowerCase();
const foldUnderscores = (name: string): string => foldCase(name).replaceAll('_', '');
const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Declares members that limit, price or route a request. In a received body each of them may stand once, and only in
 * its own spelling: parsers differ in which of two members they take, and some ignore letter case.
 * @param underscores `ignored`: the vendor takes `snake_case` for `camelCase`, so both spellings are accepted, but not
 * together
 * @example defineSpelling({ model: true, stream_options: { include_usage: true } })
 */
export function defineSpelling(members: MemberNames, underscores: 'kept' | 'ignored' = 'kept'): Spelling {
  const fold = underscores === 'ignored' ? foldUnderscores : foldCase;
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
