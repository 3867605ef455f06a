import type { Exported } from './read-declaration.ts';
import type { Entry } from './surface.ts';

/** Declarations by what they declare: `koine-gateway: Usage` or, for a member, `koine-gateway: Usage.output`. */
export type Lines = ReadonlyMap<string, string>;

/** A declaration that differs between two surfaces. Absent in one of them: it was added or removed. */
export interface Change {
  readonly subject: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

const listDeclarations = (entry: string, { name, declaration, members }: Exported): readonly [string, string][] => [
  [`${entry}: ${name}`, declaration],
  ...members.map((member): [string, string] => [`${entry}: ${name}.${member.name}`, member.declaration]),
];

/** The surface without comments: one line for each export and each member. */
export function toLines(surface: readonly Entry[]): Lines {
  const lines = new Map<string, string>();
  const all = surface.flatMap(({ name, exports }) => exports.flatMap((found) => listDeclarations(name, found)));
  for (const [subject, declaration] of all) {
    const line = declaration.replaceAll(/\s+/g, ' ');
    const overload = lines.get(subject);
    lines.set(subject, overload === undefined ? line : `${overload} ${line}`);
  }
  return lines;
}

export const writeLines = (lines: Lines): string =>
  [...lines].map(([subject, declaration]) => `${subject}\t${declaration}\n`).join('');

export const readLines = (text: string): Lines =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => line.split('\t') as [string, string]),
  );

/** `koine-gateway: Usage.output`: the export with its entry, the export, and the member. */
const readSubject = (subject: string): { readonly owner: string; readonly names: readonly string[] } => {
  const [, owner = '', name = '', member] = /^(.*?: ([^.]+))(?:\.(.*))?$/.exec(subject) ?? [];
  return { owner, names: member === undefined ? [name] : [name, member] };
};

/** An added type comes with a function or a member that uses it, and these are listed. */
const isAddedType = ({ was, is = '' }: Change): boolean => was === undefined && /^(?:interface|type) /.test(is);

/** What differs, without added types, and without the members of an export that was added or removed. */
export const compareLines = (was: Lines, is: Lines): readonly Change[] =>
  [...new Set([...was.keys(), ...is.keys()])]
    .filter((subject) => was.get(subject) !== is.get(subject))
    .filter((subject) => {
      const { owner } = readSubject(subject);
      return owner === subject || (was.has(owner) && is.has(owner));
    })
    .map((subject) => ({ subject, was: was.get(subject), is: is.get(subject) }))
    .filter((change) => !isAddedType(change));

/** Each list entry of a section, as the words that it has in code marks. */
const readEntries = (section: string): readonly ReadonlySet<string>[] =>
  section
    .split(/^- /m)
    .slice(1)
    .map(
      (entry) => new Set([...entry.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[\w$-]+/g) ?? [])),
    );

/** The changes for which no list entry of the section has the export, and the member, in code marks. */
export function findUnnamed(changes: readonly Change[], section: string): readonly Change[] {
  const entries = readEntries(section);
  return changes.filter(({ subject }) => {
    const words = readSubject(subject).names.flatMap((name) => name.match(/[\w$-]+/g) ?? []);
    return !entries.some((entry) => words.every((word) => entry.has(word)));
  });
}

function describeChange({ subject, was, is }: Change): string {
  if (was === undefined) return `added    ${subject}\n         ${is}`;
  if (is === undefined) return `removed  ${subject}\n         ${was}`;
  return `changed  ${subject}\n   was   ${was}\n   is    ${is}`;
}

export const describeChanges = (changes: readonly Change[]): string => changes.map(describeChange).join('\n');
