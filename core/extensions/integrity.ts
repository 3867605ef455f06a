import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GatewayError } from '../errors/gateway-error.ts';

/** How `integrity` is written in a configuration. */
export const INTEGRITY_PATTERN = '^sha256-[A-Za-z0-9+/]{43}=$';

/** The files that an extension consists of. */
export interface ExtensionContent {
  /** The folder of the entry file, or of the package. Absolute, links followed. */
  readonly folder: string;
  /** Relative to the folder, with `/`, sorted by their UTF-16 units. */
  readonly files: readonly string[];
}

const CODE = /\.[cm]?[jt]s$/;
const LOADABLE = /\.(?:[cm]?[jt]s|json|node|wasm)$/;
/** A relative path in quotes: what `import` and `require` are given, and `new URL(…, import.meta.url)`. */
const QUOTED_PATH = /(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;
/** What `require` tries after the path as it is written. https://nodejs.org/api/modules.html#all-together */
const REQUIRED = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function findNamed(file: string): readonly string[] {
  if (!CODE.test(file)) return [];
  const named = [...readFileSync(file, 'utf8').matchAll(QUOTED_PATH)].map(([, , path = '']) =>
    resolve(dirname(file), path),
  );
  return named.flatMap(
    (path) => REQUIRED.map((ending) => path + ending).find((each) => LOADABLE.test(each) && isFile(each)) ?? [],
  );
}

/** The entry file, and every file of code or data for code that one of them names by a relative path. */
function collectReached(entry: string): readonly string[] {
  const reached = new Set([entry]);
  for (const file of reached) for (const named of findNamed(file)) reached.add(realpathSync(named));
  return [...reached];
}

/** Every file of a package but those of its dependencies. */
function collectPackage(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return collectPackage(path);
    if (entry.isSymbolicLink() && !isFile(path))
      throw new GatewayError(
        'KOINE_EXTENSION_INTEGRITY',
        `${JSON.stringify(path)} is a link to a folder, which no hash can cover. Copy the folder.`,
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
 * What the hash of an extension covers. A path: the entry file, and every `.js`, `.ts`, `.json`, `.node` or `.wasm`
 * file that it, or a file reached so, names by a relative path in quotes. A package: all of its files. Packages that it
 * imports are never covered: their lockfile holds those.
 * @param file the entry file
 * @param from the configuration file, absolute
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

/** `sha256-` and the Base64 of a SHA-256 over the lines that `sha256sum` prints of the files, in their order. */
export function hashContent({ folder, files }: ExtensionContent): string {
  const lines = files.map((file) => `${digest(readFileSync(join(folder, file))).toString('hex')}  ${file}\n`);
  return `sha256-${digest(lines.join('')).toString('base64')}`;
}
