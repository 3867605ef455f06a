import { resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import type { ExtensionCode } from '../extensions/modules/code.ts';
import type { BuiltIns, Extension, ExtensionKind } from '../extensions/extension.ts';
import { loadExtension, type ExtensionUse } from '../extensions/load.ts';
import { runInSlices, type Steps } from '../services/slices.ts';
import { loadRegistry } from './load-registry.ts';
import type { LoadedConfig } from './load.ts';
import { joinParts, splitParts, type Member } from './parts.ts';
import { listSecrets } from './secrets/collect-secrets.ts';

/** What is not read again elsewhere: files may have changed, and secrets are never written to disk. */
interface Packed extends Pick<
  LoadedConfig,
  'file' | 'files' | 'hash' | 'digest' | 'config' | 'certificates' | 'interpolatedOptions' | 'warnings'
> {
  /** The own files of extensions, by `use`. */
  readonly code: ReadonlyMap<string, ExtensionCode | undefined>;
}

/** A configuration in parts, each of which is read within one turn of the event loop. It contains secrets. */
export type PackedConfig = readonly Uint8Array[];

function* packInSteps({
  file,
  files,
  hash,
  digest,
  config,
  certificates,
  interpolatedOptions,
  warnings,
  extensions: { plugins, providers },
}: LoadedConfig): Steps<PackedConfig> {
  const code = new Map([...plugins, ...Object.values(providers)].map((extension) => [extension.use, extension.code]));
  const packed: Packed = { file, files, hash, digest, config, certificates, interpolatedOptions, warnings, code };
  const parts: Uint8Array[] = [];
  for (const part of splitParts({ ...packed })) {
    parts.push(serialize(part));
    yield;
  }
  return parts;
}

/** Serializes a configuration for another thread or process of this gateway. */
export const packConfig = (loaded: LoadedConfig): Promise<PackedConfig> => runInSlices(packInSteps(loaded));

function* readParts(packed: PackedConfig): Generator<readonly Member[]> {
  for (const part of packed) yield deserialize(part) as readonly Member[];
}

/**
 * The secrets are known before the configuration is used. Those of an earlier configuration are known already.
 */
function* learnSecrets(config: LoadedConfig['config'], before: LoadedConfig['config'] | undefined): Steps<void> {
  for (const secrets of listSecrets(config, before)) {
    knowSecrets(secrets);
    yield;
  }
}

/**
 * Restores the configuration in another thread or process, in slices. Extensions are imported again, with the same
 * code; nothing else is read or checked.
 * @param before the active configuration: objects that are equal are used again
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function unpackConfig(
  parts: PackedConfig,
  builtIns: BuiltIns,
  before?: Pick<LoadedConfig, 'config'>,
): Promise<LoadedConfig> {
  const { code, ...packed } = await runInSlices(joinParts<Packed>(readParts(parts), { config: before?.config }));
  const { file, config } = packed;
  await runInSlices(learnSecrets(config, before?.config));
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
  return { ...packed, extensions: { plugins, providers: Object.fromEntries(providers) }, registry };
}
