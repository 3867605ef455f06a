import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../canonical/json/members.ts';

/**
 * The file that `import` resolves to, for packages without an entry for `require`.
 * https://nodejs.org/api/packages.html#conditional-exports
 */
const selectExport = (exported: unknown): string | undefined => {
  if (typeof exported === 'string') return exported;
  if (!isObject(exported)) return undefined;
  return selectExport(exported['.'] ?? exported['node'] ?? exported['import'] ?? exported['default']);
};

const resolveImportOnly = (specifier: string, from: string): string | undefined => {
  const manifest = findPackageJSON(specifier, pathToFileURL(from));
  if (manifest === undefined) return undefined;
  const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  const entry = isObject(content) && content['name'] === specifier ? selectExport(content['exports']) : undefined;
  return entry === undefined ? undefined : resolve(dirname(manifest), entry);
};

/**
 * The entry file of an npm package that is installed beside the configuration.
 * @param from the configuration file
 * @returns undefined when the package is not installed
 */
export function resolvePackage(specifier: string, from: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  try {
    return createRequire(from).resolve(specifier);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' ? resolveImportOnly(specifier, from) : undefined;
  }
}
