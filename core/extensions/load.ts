import { realpathSync } from 'node:fs';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { checkDefinition } from './check.ts';
import type { BuiltIns, Extension, ExtensionKind } from './extension.ts';
import { importExtension } from './import.ts';
import { findContent, hashContent } from './integrity.ts';
import { resolveExtension } from './resolve.ts';

/** The entry of an extension in a configuration: its `use`, and the hash that its files must have. */
export interface ExtensionUse {
  readonly use: string;
  readonly integrity?: string;
}

/**
 * The hash of each entry file (links resolved) at the time when this process imported it. Node imports a file once, so
 * a reload does not load new code.
 */
const imported = new Map<string, string>();

const refuse = (use: string, reason: string): GatewayError =>
  new GatewayError('KOINE_EXTENSION_INTEGRITY', `${JSON.stringify(use)} ${reason}`);

/** @throws GatewayError `KOINE_EXTENSION_INTEGRITY` */
const checkIntegrity = (use: string, file: string, actual: string, expected: string): void => {
  if (actual !== expected)
    throw refuse(
      use,
      `has the hash ${actual}, but its "integrity" is ${expected}, so it was not loaded. ` +
        'Review the changes of its files, then set the new hash.',
    );
  const before = imported.get(realpathSync(file));
  if (before !== undefined && before !== actual)
    throw refuse(
      use,
      `was imported with the hash ${before}, and its files now have the hash ${actual}. ` +
        'Restart the gateway to load the new code.',
    );
};

/** @throws GatewayError `KOINE_EXTENSION_INTEGRITY` when the files cannot be read */
const hashFiles = (use: string, file: string, from: string): string => {
  try {
    return hashContent(findContent(use, file, from));
  } catch (thrown) {
    throw GatewayError.is(thrown)
      ? thrown
      : refuse(use, `cannot be hashed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
};

/** The hash of an extension that is not pinned is only logged, so it is loaded even if it cannot be hashed. */
const tryHash = (use: string, file: string, from: string): string | undefined => {
  try {
    return hashFiles(use, file, from);
  } catch {
    return undefined;
  }
};

/**
 * Imports and checks the extension that a `use:` names, without calling `create`. It is not imported if its files do
 * not match `integrity`.
 * @param from absolute path of the configuration file
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function loadExtension<K extends ExtensionKind>(
  kind: K,
  { use, integrity }: ExtensionUse,
  from: string,
  builtIns: BuiltIns,
): Promise<Extension<K>> {
  const resolved = resolveExtension(kind, use, from, builtIns);
  const label = `The ${kind} ${JSON.stringify(use)}`;
  if ('builtIn' in resolved) {
    if (integrity !== undefined)
      throw refuse(use, 'is built in, so its "integrity" cannot be checked. Remove the "integrity".');
    return { kind, use, definition: checkDefinition(kind, builtIns[kind][use], label), source: 'built-in' };
  }
  const { file } = resolved;
  const actual = integrity === undefined ? tryHash(use, file, from) : hashFiles(use, file, from);
  if (integrity !== undefined && actual !== undefined) checkIntegrity(use, file, actual, integrity);
  const definition = checkDefinition(kind, await importExtension(use, file), label);
  const entry = realpathSync(file);
  if (actual !== undefined && !imported.has(entry)) imported.set(entry, actual);
  if (Object.hasOwn(builtIns[kind], definition.name))
    throw new GatewayError(
      'KOINE_EXTENSION_DUPLICATE',
      `${label} has the name ${JSON.stringify(definition.name)}, which is reserved for a built-in ${kind}. Rename it.`,
    );
  return omitUndefined({
    kind,
    use,
    definition,
    source: file,
    isPinned: integrity !== undefined,
    integrity: actual,
  });
}
