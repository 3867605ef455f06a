import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns, ExtensionKind } from './extension.ts';
import { resolvePackage } from './resolve-package.ts';

/** Where a `use:` leads: to a built-in of that name, or to a file to import. */
export type Resolved = { readonly builtIn: string } | { readonly file: string };

const notFound = (message: string): GatewayError => new GatewayError('KOINE_EXTENSION_NOT_FOUND', message);

const resolvePath = (use: string, from: string): Resolved => {
  const file = resolve(dirname(from), use);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw notFound(`There is no file ${JSON.stringify(use)} beside the configuration.`);
  if (!found.isFile()) throw notFound(`${JSON.stringify(use)} is a folder: name the file in it.`);
  return { file };
};

/**
 * A `use:` is the name of a built-in, a path that starts with `./`, `../` or `/`, or an npm package that is installed
 * beside the configuration: in this order, and nothing is guessed.
 * @param from the configuration file, absolute
 * @throws GatewayError `KOINE_EXTENSION_NOT_FOUND`
 */
export function resolveExtension(kind: ExtensionKind, use: string, from: string, builtIns: BuiltIns): Resolved {
  if (Object.hasOwn(builtIns[kind], use)) return { builtIn: use };
  if (/^\.{0,2}\//.test(use)) return resolvePath(use, from);
  const file = resolvePackage(use, from);
  if (file !== undefined) return { file };
  throw notFound(
    `${JSON.stringify(use)} is neither a built-in ${kind} nor a package that is installed beside the configuration.`,
  );
}
