import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import type { ExtensionCode } from '../extensions/modules/code.ts';
import type { BuiltIns, Extension, ExtensionKind } from '../extensions/extension.ts';
import { loadExtension, type ExtensionUse } from '../extensions/load.ts';
import { deepFreeze } from './resolve/deep-freeze.ts';
import { loadRegistry } from './load-registry.ts';
import type { LoadedConfig } from './load.ts';
import { collectSecrets } from './secrets/collect-secrets.ts';

/** What another process must not read again: files may have changed, and secrets are never written to disk for it. */
interface Packed extends Pick<
  LoadedConfig,
  'file' | 'files' | 'hash' | 'digest' | 'config' | 'certificates' | 'interpolatedOptions' | 'warnings'
> {
  /** The own files of extensions, by `use`. */
  readonly code: ReadonlyMap<string, ExtensionCode | undefined>;
}

/** Serializes a configuration for another process of this gateway. The text contains secrets. */
export const packConfig = ({
  file,
  files,
  hash,
  digest,
  config,
  certificates,
  interpolatedOptions,
  warnings,
  extensions: { plugins, providers },
}: LoadedConfig): string => {
  const code = new Map([...plugins, ...Object.values(providers)].map((extension) => [extension.use, extension.code]));
  return serialize({
    file,
    files,
    hash,
    digest,
    config,
    certificates,
    interpolatedOptions,
    warnings,
    code,
  } satisfies Packed).toString('base64');
};

/**
 * Restores the configuration in another process. Extensions are imported again, with the same code; nothing else is
 * read or checked.
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function unpackConfig(text: string, builtIns: BuiltIns): Promise<LoadedConfig> {
  const { code, ...packed } = deserialize(Buffer.from(text, 'base64')) as Packed;
  const { file, config } = packed;
  knowSecrets(collectSecrets(config));
  const load = <K extends ExtensionKind>(kind: K, settings: ExtensionUse): Promise<Extension<K>> =>
    loadExtension(kind, settings, resolve(file), builtIns, code.get(settings.use));
  // One after the other: files that two of them share are loaded once.
  const providers: [string, Extension<'provider'>][] = [];
  for (const [name, settings] of Object.entries(config.providers))
    providers.push([name, await load('provider', settings)]);
  const plugins: Extension<'plugin'>[] = [];
  for (const settings of config.plugins) plugins.push(await load('plugin', settings));
  const { registry } = loadRegistry(
    builtIns,
    providers.map(([name, extension]) => ({ path: ['providers', name], extension })),
  );
  return {
    ...packed,
    config: deepFreeze(config),
    extensions: { plugins, providers: Object.fromEntries(providers) },
    registry,
  };
}
