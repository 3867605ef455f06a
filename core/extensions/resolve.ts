import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GatewayError } from '../errors/gateway-error.ts';
import { isBuiltIn } from './built-in.ts';
import type { BuiltIns, ExtensionKind } from './extension.ts';
import { resolvePackage } from './resolve-package.ts';

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
 * * Resolves a `use:`. In this order, it is the name of a built-in, a path that starts with `./`, `../` or `/`, or an
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
