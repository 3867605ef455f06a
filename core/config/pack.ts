import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import { loadExtension } from '../extensions/load.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { deepFreeze } from './resolve/deep-freeze.ts';
import { loadRegistry } from './load-registry.ts';
import type { LoadedConfig } from './load.ts';
import { collectSecrets } from './secrets/collect-secrets.ts';

/** What another process must not read again: files may have changed, and secrets are never written to disk for it. */
type Packed = Pick<LoadedConfig, 'file' | 'files' | 'hash' | 'config' | 'interpolatedOptions' | 'warnings'>;

/** Serializes a configuration for another process of this gateway. The text contains secrets. */
export const packConfig = ({ file, files, hash, config, interpolatedOptions, warnings }: LoadedConfig): string =>
  serialize({ file, files, hash, config, interpolatedOptions, warnings } satisfies Packed).toString('base64');

/**
 * Restores the configuration in another process. Extensions are imported again; nothing else is read or checked.
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function unpackConfig(text: string, builtIns: BuiltIns): Promise<LoadedConfig> {
  const packed = deserialize(Buffer.from(text, 'base64')) as Packed;
  const { file, config } = packed;
  knowSecrets(collectSecrets(config));
  const from = resolve(file);
  const providers = await Promise.all(
    Object.entries(config.providers).map(
      async ([name, settings]) => [name, await loadExtension('provider', settings, from, builtIns)] as const,
    ),
  );
  const plugins = await Promise.all(
    config.plugins.map((settings) => loadExtension('plugin', settings, from, builtIns)),
  );
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
