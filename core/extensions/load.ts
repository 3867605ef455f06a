import { GatewayError } from '../errors.ts';
import { checkDefinition } from './check.ts';
import type { BuiltIns, Extension, ExtensionKind } from './extension.ts';
import { importExtension } from './import.ts';
import { resolveExtension } from './resolve.ts';

/**
 * What a `use:` names, imported and checked. Its `create` is not called.
 * @param from the configuration file, absolute
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export const loadExtension = async <K extends ExtensionKind>(kind: K, use: string, from: string, builtIns: BuiltIns): Promise<Extension<K>> => {
  const resolved = resolveExtension(kind, use, from, builtIns);
  const label = `The ${kind} ${JSON.stringify(use)}`;
  if ('builtIn' in resolved) return { kind, use, definition: checkDefinition(kind, builtIns[kind][use], label), source: 'built-in' };
  const definition = checkDefinition(kind, await importExtension(use, resolved.file), label);
  if (Object.hasOwn(builtIns[kind], definition.name))
    throw new GatewayError('KOINE_EXTENSION_DUPLICATE', `${label} calls itself ${JSON.stringify(definition.name)}, which is the name of a built-in ${kind}.`);
  return { kind, use, definition, source: resolved.file };
};
