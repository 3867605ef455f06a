import { createCatalog, type RunningProvider } from '../../catalog/catalog.ts';
import { listClientWires } from '../../catalog/client-wires.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Finding, Path } from '../../config/problem.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import { startExtension, type Instances } from '../../extensions/start.ts';
import { findUnreachable } from './reach.ts';
import { singleHooks } from '../../server/serving/single-hooks.ts';
import { createDryRunServices } from './services.ts';
import { findUnknown, findUnspoken } from './wires.ts';

/** Long enough for an extension that only computes; a slower one waits for the network, which proves nothing. */
const START_TIMEOUT = 3_000;

/** Starts the extensions of one configuration, and collects the problems that their `create` reports. */
class DryRun {
  readonly findings: Finding[] = [];
  readonly #loaded: LoadedConfig;
  readonly #opened: Closable[] = [];

  constructor(loaded: LoadedConfig) {
    this.#loaded = loaded;
  }

  async startProviders(): Promise<ReadonlyMap<string, RunningProvider>> {
    const { config, extensions } = this.#loaded;
    const providers = new Map<string, RunningProvider>();
    for (const [name, extension] of Object.entries(extensions.providers)) {
      const { definition } = extension;
      const instance = await this.#start(extension, ['providers', name, 'config'], (services) =>
        definition.create(config.providers[name]?.config, services),
      );
      if (instance !== undefined)
        providers.set(name, { instance, families: definition.models ?? [], prices: definition.prices ?? [] });
    }
    return providers;
  }

  async startPlugins(): Promise<Started> {
    const { config, extensions } = this.#loaded;
    const instances: (PluginInstance | undefined)[] = [];
    for (const [index, extension] of extensions.plugins.entries())
      instances.push(
        await this.#start(extension, ['plugins', index, 'config'], (services) =>
          extension.definition.create(config.plugins[index]?.config, services),
        ),
      );
    return instances;
  }

  async close(): Promise<void> {
    await closeAll(this.#opened, START_TIMEOUT);
  }

  async #start<K extends ExtensionKind>(
    extension: Extension<K>,
    path: Path,
    create: (services: Services) => Instances[K] | Promise<Instances[K]>,
  ): Promise<Instances[K] | undefined> {
    const { services, wasRefused, close } = createDryRunServices(this.#loaded);
    this.#opened.push({ name: `services of ${extension.use}`, close });
    try {
      const instance = await startExtension(extension, () => create(services), START_TIMEOUT);
      this.#opened.push({ name: extension.use, close: () => instance.close?.() });
      return instance;
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      if (!wasRefused() && thrown.code !== 'KOINE_EXTENSION_TIMEOUT')
        this.findings.push({ path, on: 'key', rule: thrown.code, message: thrown.message });
      return undefined;
    }
  }
}

/** The plugins of a configuration. Undefined: it could not be started. */
type Started = readonly (PluginInstance | undefined)[];

/** Plugins with a hook that an earlier plugin has, and only one may have. */
function* findSecond(instances: Started, plugins: GatewayConfig['plugins']): Iterable<Finding> {
  for (const [hook, what] of Object.entries(singleHooks)) {
    const [first, ...others] = [...instances.entries()].filter(
      ([, instance]) => instance?.[hook as keyof typeof singleHooks] !== undefined,
    );
    for (const [index] of others) {
      const message =
        `${plugins[index]?.use} provides ${what}, and so does ${plugins[first?.[0] ?? 0]?.use}: ` +
        'keep only one of them.';
      yield { path: ['plugins', index, 'use'], rule: 'KOINE_EXTENSION_DUPLICATE', message };
    }
  }
}

/** Without a plugin that identifies callers, every request is refused. One that could not be started may be it. */
function* findUnidentified(instances: Started, { models, plugins }: GatewayConfig): Iterable<Finding> {
  if (Object.keys(models).length === 0) return;
  if (instances.some((instance) => instance === undefined || instance.identify)) return;
  const message = 'No plugin identifies callers, so every request is refused with 401. Add one, such as "- use: auth".';
  yield {
    path: plugins.length === 0 ? [] : ['plugins'],
    on: 'key',
    severity: 'warning',
    rule: 'no-identification',
    message,
  };
}

/**
 * Starts every provider and plugin of a configuration without network, and closes them again. Finds what only their
 * `create` can refuse, and what depends on the wires that providers speak.
 * @param ownRoutes whether the file has routes of its own: the default routes are not checked, since a gateway need not
 * have models for all of them
 */
export async function dryRun(loaded: LoadedConfig, ownRoutes: boolean): Promise<readonly Finding[]> {
  const { config, registry } = loaded;
  const run = new DryRun(loaded);
  try {
    const providers = await run.startProviders();
    const plugins = await run.startPlugins();
    const doubled = [...findSecond(plugins, config.plugins), ...findUnidentified(plugins, config)];
    // The models of a provider that did not start are unknown.
    if (providers.size < Object.keys(config.providers).length) return [...run.findings, ...doubled];
    const clientWires = listClientWires(registry.codecs);
    const { find } = createCatalog(config, providers, clientWires, 0);
    const models = Object.keys(config.models).flatMap((id) => find(id) ?? []);
    return [
      ...run.findings,
      ...doubled,
      ...findUnknown(models, registry),
      ...findUnspoken(config, models, clientWires),
      ...(ownRoutes ? findUnreachable(config, models) : []),
    ];
  } finally {
    await run.close();
  }
}
