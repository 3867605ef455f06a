import { basename, dirname, join } from 'node:path/posix';

/** A source file, as far as the rules depend on it. */
export interface WireSource {
  /** Relative to the root. */
  readonly path: string;
  readonly code: string;
  /** Relative imports as paths from the root. */
  readonly imports: readonly string[];
}

/** The file that a codec has each of its members from. */
const homes: Readonly<Record<string, readonly string[]>> = {
  decodeRequest: ['request'],
  encodeRequest: ['request'],
  decodeResponse: ['response'],
  encodeResponse: ['response'],
  decodeStream: ['stream'],
  encodeStream: ['stream'],
  decodeError: ['error'],
  encodeError: ['error'],
  usageMembers: ['usage', 'usage-members'],
  native: ['native'],
  traits: ['traits', 'shape'],
  limits: ['traits'],
};

const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm;

const nameOf = (path: string): string => basename(path, '.ts');

/** The members that a codec imports, with the names of their files. */
const listMembers = (code: string): readonly (readonly [member: string, file: string])[] =>
  [...code.matchAll(IMPORT)].flatMap(([, names = '', from = '']) =>
    names.split(',').map(
      (name) =>
        [
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*$/, ''),
          nameOf(from),
        ] as const,
    ),
  );

/** What a wire that generates has beside its requests and responses: one file each, for both sides and the tap. */
const SHARED = ['finish', 'usage'];
/** What a tap reads with the readers of the decoder. */
const READERS = ['error', 'finish', 'usage'];

const checkGenerating = (folder: string, { code }: WireSource, own: readonly string[]): readonly string[] => {
  const has = (file: string): boolean => own.some((path) => path === join(folder, `${file}.ts`));
  const hasClient = /^ {2}client:/m.test(code);
  const sides = hasClient ? ['client', 'upstream'] : [''];
  const missing = (side: string, name: string): boolean =>
    !['', 'request', 'response'].some((below) => has(join(side, below, name)));
  return [
    ...SHARED.filter((name) => !has(name)).map((name) => `${folder} has no ${name}.ts`),
    ...sides.flatMap((side) =>
      ['request', 'response', 'stream']
        .filter((name) => missing(side, name))
        .map((name) => `${join(folder, side)} has no ${name}.ts`),
    ),
  ];
};

const checkTap = ({ path, imports }: WireSource, generates: boolean): readonly string[] => {
  const read = new Set(imports.map(nameOf));
  // The tap of another wire, which is checked itself.
  if (read.has('tap')) return [];
  // A response of embeddings has one reader, for its usage as well.
  const wanted = generates ? READERS : [['usage', 'response'].find((name) => read.has(name)) ?? 'usage'];
  return wanted.filter((name) => !read.has(name)).map((name) => `${path} does not read with ${name}.ts of the decoder`);
};

/** Which wires of providers do not have the files that the layout of a provider promises. Empty: all have them. */
export function listWireFaults(files: readonly WireSource[]): readonly string[] {
  const codecs = files.filter(({ path, code }) => nameOf(path) === 'index' && /\bdefineCodec</.test(code));
  return codecs.flatMap((codec) => {
    const folder = dirname(codec.path);
    const own = files.filter(({ path }) => path.startsWith(`${folder}/`));
    const generates = codec.code.includes("defineCodec<'generate'>");
    const tap = own.find(({ path }) => nameOf(path) === 'tap');
    const isNative = listMembers(codec.code).some(([member]) => member === 'native');
    return [
      ...listMembers(codec.code).flatMap(([member, file]) => {
        const home = Object.hasOwn(homes, member) ? homes[member] : undefined;
        return home === undefined || home.includes(file)
          ? []
          : [`${codec.path} has ${member} from ${file}.ts, not from ${home[0]}.ts`];
      }),
      ...(generates
        ? checkGenerating(
            folder,
            codec,
            own.map(({ path }) => path),
          )
        : []),
      ...(isNative && tap === undefined ? [`${folder} is sent natively and has no tap.ts`] : []),
      ...(tap === undefined ? [] : checkTap(tap, generates)),
    ];
  });
}
