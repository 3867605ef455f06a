import { findPackageJSON, type ResolveHookSync } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

export const PACKAGE = 'koine-gateway';

/** The package.json of this gateway. */
export const ownManifest = findPackageJSON('.', import.meta.url) ?? '';

const inCore = (name: string): string => new URL(`../../${name}${extname(import.meta.filename)}`, import.meta.url).href;

/** The `exports` of package.json. */
const entries: ReadonlyMap<string, string> = new Map([
  [PACKAGE, inCore('index')],
  [`${PACKAGE}/testing`, inCore('testing/index')],
  [`${PACKAGE}/register`, inCore('extensions/modules/register')],
  [`${PACKAGE}/package.json`, pathToFileURL(ownManifest).href],
]);

const noEntry = (specifier: string): Error =>
  Object.assign(
    new Error(`${specifier} is not an entry of the gateway. Its entries: ${[...entries.keys()].join(', ')}`),
    {
      code: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
    },
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
