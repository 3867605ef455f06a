import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import { loadExtension } from '../extensions/load.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { freezeDeep } from './resolve/freeze.ts';
import { loadRegistry } from './load-registry.ts';
import type { LoadedConfig } from './load.ts';
import { secretsIn } from './secrets/secrets-in.ts';

/** What another process cannot find out for itself: files may have changed, and secrets never lie on a disk for it. */
type Packed = Pick<LoadedConfig, 'file' | 'files' | 'hash' | 'config' | 'filled' | 'warnings'>;

/** A configuration as text, for another process of this gateway. It holds secrets. */
export const packConfig = ({ file, files, hash, config, filled, warnings }: LoadedConfig): string =>
  serialize({ file, files, hash, config, filled, warnings } satisfies Packed).toString('base64');

/** The same configuration in another process: only what `use:` names is imported, nothing is read or checked again. @throws GatewayError `KOINE_EXTENSION_*` */
export async function unpackConfig(text: string, builtIns: BuiltIns): Promise<LoadedConfig> {
  const packed = deserialize(Buffer.from(text, 'base64')) as Packed;
  const { file, config } = packed;
  knowSecrets(secretsIn(config));
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
    config: freezeDeep(config),
    extensions: { plugins, providers: Object.fromEntries(providers) },
    registry,
  };
}
