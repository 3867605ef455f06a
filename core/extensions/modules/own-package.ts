import { readFileSync } from 'node:fs';
import { findPackageJSON, type ResolveHookSync } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const PACKAGE = 'koine-gateway';

/** The package.json of this gateway. */
export const ownManifest = findPackageJSON('.', import.meta.url) ?? '';

const BUILT = './dist/';
/** The module of an export: in a checkout the source instead of the built file. */
const locate = (target: string): string =>
  target.startsWith(BUILT)
    ? new URL(`../../../${target.slice(BUILT.length).replace(/\.js$/, extname(import.meta.filename))}`, import.meta.url)
        .href
    : pathToFileURL(join(dirname(ownManifest), target)).href;

type Export = string | { readonly default: string };
const readExports = (): Readonly<Record<string, Export>> =>
  (JSON.parse(readFileSync(ownManifest, 'utf8')) as { readonly exports: Readonly<Record<string, Export>> }).exports;

/** The `exports` of package.json, by the name that extensions import. */
const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(readExports()).map(([name, found]) => [
    `${PACKAGE}${name.slice(1)}`,
    locate(typeof found === 'string' ? found : found.default),
  ]),
);

const withoutExports: ReadonlySet<string> = new Set([`${PACKAGE}/register`, `${PACKAGE}/package.json`]);

/** The entry of the gateway that exports a value of this name. Types are not found: they do not exist at run time. */
export async function findEntry(name: string): Promise<string | undefined> {
  for (const [entry, url] of entries)
    if (!withoutExports.has(entry) && name in ((await import(url)) as object)) return entry;
  return undefined;
}

const noEntry = (specifier: string): Error =>
  Object.assign(
    new Error(`${specifier} is not an entry of the gateway. Its entries: ${[...entries.keys()].join(', ')}`),
    { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' },
  );

/**
 * Makes `koine-gateway` resolve to the modules of this gateway, whichever file imports or requires it, so that an
 * extension never loads a second copy.
 */
export const resolveOwnPackage: ResolveHookSync = (specifier, context, nextResolve) => {
  const url = entries.get(specifier);
  if (url !== undefined) return { url, shortCircuit: true };
  if (specifier.startsWith(`${PACKAGE}/`)) throw noEntry(specifier);
  return nextResolve(specifier, context);
};
