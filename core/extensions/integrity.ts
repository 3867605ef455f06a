import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GatewayError } from '../errors/gateway-error.ts';

/** The form of `integrity` in a configuration. */
export const INTEGRITY_PATTERN = '^sha256-[A-Za-z0-9+/]{43}=$';

/** The files that the hash of an extension covers. */
export interface ExtensionContent {
  /** Absolute path of the folder of the entry file or of the package, with links resolved. */
  readonly folder: string;
  /** Relative to the folder, with `/`, sorted by UTF-16 code units. */
  readonly files: readonly string[];
}

const CODE = /\.[cm]?[jt]s$/;
const LOADABLE = /\.(?:[cm]?[jt]s|json|node|wasm)$/;
/** A relative path in quotes, as in `import`, `require` and `new URL(…, import.meta.url)`. */
const QUOTED_PATH = /(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;
/** The endings that `require` tries. https://nodejs.org/api/modules.html#all-together */
const REQUIRE_ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The loadable files that a file names by relative paths. */
export interface References {
  /** With links resolved. */
  readonly files: readonly string[];
  /** Paths with the ending of a loadable file at which there is none. */
  readonly missing: readonly string[];
}

/** Finds what the content of a file names by relative paths. */
export function findReferenced(file: string, content: Buffer): References {
  if (!CODE.test(file)) return { files: [], missing: [] };
  const paths = [...content.toString().matchAll(QUOTED_PATH)].map(([, , path = '']) => resolve(dirname(file), path));
  const found = paths.map((path) =>
    REQUIRE_ENDINGS.map((ending) => path + ending).find((each) => LOADABLE.test(each) && isFile(each)),
  );
  return {
    files: found.flatMap((path) => (path === undefined ? [] : realpathSync(path))),
    missing: paths.filter((path, index) => found[index] === undefined && LOADABLE.test(path)),
  };
}

/** The entry file and every loadable file that it reaches by relative paths, directly or through others. */
function collectReached(entry: string): readonly string[] {
  const reached = new Set([entry]);
  for (const file of reached) for (const path of findReferenced(file, readFileSync(file)).files) reached.add(path);
  return [...reached];
}

/** Every file of a package, without its dependencies. */
function collectPackage(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return collectPackage(path);
    if (entry.isSymbolicLink() && !isFile(path))
      throw new GatewayError(
        'KOINE_EXTENSION_INTEGRITY',
        `${JSON.stringify(path)} is a link to a folder, which cannot be hashed. Replace it with a copy of the folder.`,
      );
    return isFile(path) ? [path] : [];
  });
}

const findPackageFolder = (use: string, from: string): string | undefined => {
  if (/^\.{0,2}\//.test(use) || isBuiltin(use)) return undefined;
  const manifest = findPackageJSON(use, pathToFileURL(from));
  return manifest === undefined ? undefined : realpathSync(dirname(manifest));
};

/**
 * The files that the hash of an extension covers. For a path: the entry file and every `.js`, `.ts`, `.json`, `.node`
 * or `.wasm` file that it reaches by relative paths in quotes, directly or through others. For a package: all of its
 * files. Imported packages are not covered: their lockfile pins them.
 * @param file the entry file
 * @param from absolute path of the configuration file
 */
export function findContent(use: string, file: string, from: string): ExtensionContent {
  const packageFolder = findPackageFolder(use, from);
  const entry = realpathSync(file);
  const folder = packageFolder ?? dirname(entry);
  const paths = packageFolder === undefined ? collectReached(entry) : collectPackage(packageFolder);
  return {
    folder,
    files: paths
      .map((path) => relative(folder, path).replaceAll(sep, '/'))
      .toSorted((one, other) => (one < other ? -1 : 1)),
  };
}

const digest = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** `sha256-` and the Base64 of the SHA-256 over the output of `sha256sum` for the files, in their order. */
export function hashContent({ folder, files }: ExtensionContent): string {
  const lines = files.map((file) => `${digest(readFileSync(join(folder, file))).toString('hex')}  ${file}\n`);
  return `sha256-${digest(lines.join('')).toString('base64')}`;
}
