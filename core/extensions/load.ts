import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { isBuiltIn, loadBuiltIn } from './built-in.ts';
import { checkDefinition } from './check.ts';
import { readCode, type ExtensionCode } from './modules/code.ts';
import type { BuiltIns, Extension, ExtensionKind } from './extension.ts';
import { checkGatewayVersion } from './gateway-version.ts';
import { importExtension } from './modules/import.ts';
import { findContent, hashContent } from './integrity.ts';
import { resolveExtension } from './resolve.ts';

/** The entry of an extension in a configuration: its `use`, and the hash that its files must have. */
export interface ExtensionUse {
  readonly use: string;
  readonly integrity?: string;
}

/**
 * For entry files in packages, with links resolved: the hash at the time when this process imported them. Only own
 * files of an extension can be loaded again.
 */
const imported = new Map<string, string>();

/** The files of a package have changed since this process imported it. */
const isOutdated = (file: string, actual: string | undefined): boolean =>
  actual !== undefined && (imported.get(realpathSync(file)) ?? actual) !== actual;

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
  if (isOutdated(file, actual))
    throw refuse(
      use,
      `is an installed package whose files have the new hash ${actual}. A reload cannot load the new code of a ` +
        'package: restart the gateway.',
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

/** Undefined also when a file cannot be read: the import reports it. */
const tryReadCode = (file: string): ExtensionCode | undefined => {
  try {
    return readCode(file);
  } catch {
    return undefined;
  }
};

const checkReserved = (kind: ExtensionKind, name: string, builtIns: BuiltIns, label: string): void => {
  if (isBuiltIn(kind, name, builtIns))
    throw new GatewayError(
      'KOINE_EXTENSION_DUPLICATE',
      `${label} has the name ${JSON.stringify(name)}, which is reserved for a built-in ${kind}. Rename it.`,
    );
};

/**
 * Imports and checks the extension that a `use:` names, without calling `create`. It is not imported if its files do
 * not match `integrity`.
 * @param from absolute path of the configuration file
 * @param known its code as another process of this gateway has loaded it; absent: the files are read
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function loadExtension<K extends ExtensionKind>(
  kind: K,
  { use, integrity }: ExtensionUse,
  from: string,
  builtIns: BuiltIns,
  known?: ExtensionCode,
): Promise<Extension<K>> {
  const label = `The ${kind} ${JSON.stringify(use)}`;
  const given = builtIns.given?.[kind][use];
  if (given !== undefined) {
    const definition = checkDefinition(kind, given, label);
    checkReserved(kind, definition.name, builtIns, label);
    return { kind, use, definition, source: `object ${use}` };
  }
  const resolved = known === undefined ? resolveExtension(kind, use, from, builtIns) : { file: known.entry };
  if ('builtIn' in resolved) {
    if (integrity !== undefined)
      throw refuse(use, 'is built in, so its "integrity" cannot be checked. Remove the "integrity".');
    return {
      kind,
      use,
      definition: checkDefinition(kind, await loadBuiltIn(kind, use, builtIns), label),
      source: 'built-in',
    };
  }
  const { file } = resolved;
  const code = known ?? tryReadCode(file);
  const actual = integrity === undefined ? tryHash(use, file, from) : hashFiles(use, file, from);
  if (integrity !== undefined && actual !== undefined) checkIntegrity(use, file, actual, integrity);
  const { value, versions } = await importExtension(use, file, code);
  const definition = checkDefinition(kind, value, label);
  const entry = code?.entry ?? realpathSync(file);
  if (code === undefined && actual !== undefined && !imported.has(entry)) imported.set(entry, actual);
  checkReserved(kind, definition.name, builtIns, label);
  return omitUndefined({
    kind,
    use,
    definition,
    source: file,
    isPinned: integrity !== undefined,
    integrity: actual,
    code,
    versions,
    isOutdated: code === undefined && isOutdated(file, actual),
    warnings: checkGatewayVersion(entry),
  });
}

/**
 * The files whose change may change an extension, also one that cannot be loaded: its own files, and those that it
 * names and that do not exist. Absolute.
 */
export function listFiles(kind: ExtensionKind, use: string, from: string, builtIns: BuiltIns): readonly string[] {
  if (isBuiltIn(kind, use, builtIns)) return [];
  try {
    const resolved = resolveExtension(kind, use, from, builtIns);
    if ('builtIn' in resolved) return [];
    const code = tryReadCode(resolved.file);
    return code === undefined ? [] : [resolved.file, ...code.files.keys(), ...code.missing];
  } catch {
    return /^\.{0,2}\//.test(use) ? [resolve(dirname(from), use)] : [];
  }
}
