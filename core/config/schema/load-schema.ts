import { resolve } from 'node:path';
import type { JsonObject } from '../../canonical/wire.ts';
import { loadPresets } from '../../extensions/built-in.ts';
import type { BuiltIns, Extension, ExtensionKind } from '../../extensions/extension.ts';
import type { Environment } from '../read/interpolate.ts';
import { loadExtensions } from '../load-extensions.ts';
import { openConfig } from '../read/open-config.ts';
import { ConfigError } from '../problem.ts';
import { allowVariables } from './allow-variables.ts';
import { composeSchema } from './compose.ts';

export async function listBuiltIns(builtIns: BuiltIns): Promise<readonly Extension<ExtensionKind>[]> {
  const all = await loadPresets(builtIns);
  return (['provider', 'plugin'] as const).flatMap((kind) =>
    Object.entries(all[kind]).map(([use, definition]) => ({ kind, use, definition, source: 'built-in' })),
  );
}

const loadExternal = async (
  file: string,
  builtIns: BuiltIns,
  env: Environment,
): Promise<readonly Extension<ExtensionKind>[]> => {
  const opened = await openConfig(file, env);
  const found = await loadExtensions(opened.data, {
    from: resolve(file),
    builtIns,
    isShown: opened.isShown,
    isResolved: opened.isResolved,
  });
  if (found.findings.length > 0) throw new ConfigError(opened.collect(found.findings));
  const external = [...Object.values(found.providers), ...found.plugins]
    .map(({ extension }) => extension)
    .filter(({ source }) => source !== 'built-in');
  return [...new Map(external.map((extension) => [`${extension.kind} ${extension.use}`, extension])).values()];
};

/**
 * The schema for editors: every built-in and the other extensions of a file. It accepts variables, because editors
 * see the file before interpolation.
 * @param file absent: the built-ins only
 * @throws ConfigError when an extension of the file cannot be imported
 */
export const loadSchema = async (file: string | undefined, builtIns: BuiltIns, env: Environment): Promise<JsonObject> =>
  allowVariables(
    composeSchema([
      ...(await listBuiltIns(builtIns)),
      ...(file === undefined ? [] : await loadExternal(file, builtIns, env)),
    ]),
  );
