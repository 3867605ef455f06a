import { createCatalog, listClientWires, type RunningProvider } from '../../catalog/catalog.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Finding, Path } from '../../config/problem.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import { startExtension, type Instances } from '../../extensions/start.ts';
import { findUnreachable } from './reach.ts';
import { createDryRunServices } from './services.ts';
import { findUnspoken } from './wires.ts';

/** Long enough for whatever computes; who waits longer waits for the network. */
const START_TIMEOUT = 3_000;

/**
 * Starts every provider and plugin of a configuration with the network away, and closes them again: what only their `create` can
 * refuse, and what depends on the wires that providers speak.
 * @param ownRoutes the file has routes of its own: the standard ones are served to whoever has models for them
 */
export async function dryRun(loaded: LoadedConfig, ownRoutes: boolean): Promise<readonly Finding[]> {
  const { config, extensions, registry } = loaded;
  const opened: Closable[] = [];
  const findings: Finding[] = [];

  const start = async <K extends ExtensionKind>(
    extension: Extension<K>,
    path: Path,
    create: (services: Services) => Instances[K] | Promise<Instances[K]>,
  ): Promise<Instances[K] | undefined> => {
    const { services, wasAsked, close } = createDryRunServices(loaded);
    opened.push({ name: `services of ${extension.use}`, close });
    try {
      const instance = await startExtension(extension, () => create(services), START_TIMEOUT);
      opened.push({ name: extension.use, close: () => instance.close?.() });
      return instance;
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      if (!wasAsked() && thrown.code !== 'KOINE_EXTENSION_TIMEOUT')
        findings.push({ path, on: 'key', rule: thrown.code, message: thrown.message });
      return undefined;
    }
  };

  try {
    const providers = new Map<string, RunningProvider>();
    for (const [name, extension] of Object.entries(extensions.providers)) {
      const { definition } = extension;
      const instance = await start(extension, ['providers', name, 'config'], (services) =>
        definition.create(config.providers[name]?.config, services),
      );
      if (instance !== undefined)
        providers.set(name, { instance, families: definition.models ?? [], prices: definition.prices ?? [] });
    }
    for (const [index, extension] of extensions.plugins.entries())
      await start(extension, ['plugins', index, 'config'], (services) =>
        extension.definition.create(config.plugins[index]?.config, services),
      );
    // Of a provider that did not start nothing is known.
    if (providers.size < Object.keys(config.providers).length) return findings;
    const clientWires = listClientWires(registry.codecs);
    const { find } = createCatalog(config, providers, clientWires, 0);
    const models = Object.keys(config.models).flatMap((id) => find(id) ?? []);
    return [
      ...findings,
      ...findUnspoken(config, models, clientWires),
      ...(ownRoutes ? findUnreachable(config, models) : []),
    ];
  } finally {
    await closeAll(opened, START_TIMEOUT);
  }
}
