import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../canonical/json/members.ts';
import { PACKAGE } from '../modules/own-package.ts';

/** https://nodejs.org/api/errors.html */
const MISSING = new Set<unknown>([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
]);

const toPath = (text: string): string => (text.startsWith('file:') ? fileURLToPath(text) : text).replace(/\?.*$/, '');

/** The folder in which packages for a file are installed: of the nearest package.json, outside of `node_modules`. */
const findProject = (file: string): string => {
  const own = file.split(`${sep}node_modules${sep}`)[0] ?? file;
  const start = own === file ? dirname(file) : own;
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return start;
  }
};

/** Whether a package.json lists a package, which is then only not installed. */
const lists = (folder: string, name: string): boolean => {
  const file = join(folder, 'package.json');
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return (
    isObject(manifest) &&
    ['dependencies', 'devDependencies', 'optionalDependencies'].some((member) => {
      const packages = manifest[member];
      return isObject(packages) && Object.hasOwn(packages, name);
    })
  );
};

/** The command of the gateway. The package of this name is not the gateway's, and must not be installed by mistake. */
const COMMAND = 'koine';

const describeInstall = (name: string, importer: string): string => {
  if (name === COMMAND)
    return `The package of this gateway is ${JSON.stringify(PACKAGE)}: import from it, and install it in its place`;
  const folder = findProject(importer);
  const words = ['npm', 'install', '--prefix', folder, ...(lists(folder, name) ? [] : [name])];
  return `Install the package ${JSON.stringify(name)} in ${folder}: ${words.join(' ')}`;
};

const ENDINGS = ['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs'];

/** A file that was probably meant: the one without an ending, with another ending, or the index of the folder. */
const findMeant = (path: string): string | undefined => {
  const stem = path.slice(0, path.length - extname(path).length);
  return [path, stem]
    .flatMap((base) => ENDINGS.map((ending) => base + ending))
    .concat(ENDINGS.map((ending) => join(path, `index${ending}`)))
    .find((each) => existsSync(each));
};

const describeFile = (path: string): string => {
  const meant = findMeant(path);
  return meant === undefined
    ? `There is no file ${path}`
    : `Imports name files in full: write ${relative(dirname(path), meant)} instead of ${basename(path)}`;
};

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

interface Missing {
  readonly code?: unknown;
  readonly message: string;
  readonly url?: unknown;
  readonly requireStack?: unknown;
}

/** What to do, from the messages of Node: they are the only place of the importer. */
const describeRemedy = ({ message, url, requireStack, code }: Missing, entry: string): string | undefined => {
  if (message.includes(`${PACKAGE}/`)) return undefined;
  if (typeof url === 'string') return describeFile(toPath(url));
  const [, name, importer] = /^Cannot find package '([^']+)' imported from (.+)$/m.exec(message) ?? [];
  if (name !== undefined) return describeInstall(packageOf(name), toPath(importer ?? entry));
  const [, required] = /^Cannot find module '([^']+)'/.exec(message) ?? [];
  if (required !== undefined) {
    const stack: unknown = Array.isArray(requireStack) ? requireStack[0] : undefined;
    const from = typeof stack === 'string' ? stack : entry;
    return /^\.{0,2}\//.test(required)
      ? describeFile(join(dirname(from), required))
      : describeInstall(packageOf(required), from);
  }
  return code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
    ? 'Import an entry that the installed version of the package has, or install a version that has this one'
    : undefined;
};

/**
 * What is missing and how to add it, if an import failed because of a missing dependency.
 * @param entry the entry file of the extension
 */
export function describeMissing(thrown: unknown, entry: string): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !MISSING.has(thrown.code)) return undefined;
  const summary = thrown.message.split('\n')[0] ?? '';
  const remedy = describeRemedy(thrown, entry);
  return remedy === undefined ? `${summary}.` : `${summary}. ${remedy}.`;
}
