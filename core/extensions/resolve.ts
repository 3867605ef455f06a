import { readFileSync, statSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../canonical/json/members.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { isBuiltIn } from './built-in.ts';
import type { BuiltIns, ExtensionKind } from './extension.ts';

/** The result of resolving a `use:`: a built-in, or a file to import. */
export type Resolved = { readonly builtIn: string } | { readonly file: string };

const notFound = (message: string): GatewayError => new GatewayError('KOINE_EXTENSION_NOT_FOUND', message);

const resolvePath = (use: string, from: string): Resolved => {
  const file = resolve(dirname(from), use);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined)
    throw notFound(`There is no file ${JSON.stringify(use)}. Paths are relative to the folder of the configuration.`);
  if (!found.isFile()) throw notFound(`${JSON.stringify(use)} is a folder. Write the path of a file in it.`);
  return { file };
};

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
function resolvePackage(specifier: string, from: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  try {
    return createRequire(from).resolve(specifier);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' ? resolveImportOnly(specifier, from) : undefined;
  }
}

/**
 * Resolves a `use:`. In this order, it is the name of a built-in, a path that starts with `./`, `../` or `/`, or an
 * npm package that is installed beside the configuration.
 * @param from absolute path of the configuration file
 * @throws GatewayError `KOINE_EXTENSION_NOT_FOUND`
 */
export function resolveExtension(kind: ExtensionKind, use: string, from: string, builtIns: BuiltIns): Resolved {
  if (isBuiltIn(kind, use, builtIns)) return { builtIn: use };
  if (/^\.{0,2}\//.test(use)) return resolvePath(use, from);
  const file = resolvePackage(use, from);
  if (file !== undefined) return { file };
  throw notFound(
    `${JSON.stringify(use)} is neither a built-in ${kind} nor a package installed beside the configuration.`,
  );
}
