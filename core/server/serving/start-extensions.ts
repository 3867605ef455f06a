import { hash } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { RunningProvider } from '../../catalog/catalog.ts';
import type { ProviderConfig } from '../../config/gateway-config.ts';
import { folderOf } from '../../config/load.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { foldName } from '../../contracts/request-members.ts';
import type { Fetch, Services } from '../../contracts/services.ts';
import type { ConnectionSettings } from '../../dispatch/connections.ts';
import { createUndiciTransport } from '../../dispatch/undici-transport.ts';
import { watchPlugin } from '../../exchange/hooks/watch-plugin.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import { startExtension, type Instances } from '../../extensions/start.ts';
import { createEnvironmentProxy, type FindProxy } from '../../services/network/environment-proxy.ts';
import type { Send } from '../../lanes/channel.ts';
import { createOpenTable, TABLES } from '../../services/shared-memory/tables.ts';
import type { LinkPrimary } from '../link/link.ts';
import type { Runtime } from '../runtime.ts';

/** Starts the instance of an extension with services of its own, and closes it with the runtime. */
export type StartInstance = <K extends ExtensionKind>(
  extension: Extension<K>,
  create: (services: Services) => Instances[K] | Promise<Instances[K]>,
) => Promise<Instances[K]>;

export const createStartInstance =
  (runtime: Runtime, link: LinkPrimary, fetch: Fetch): StartInstance =>
  async (extension, create) => {
    const { loaded, log, clock, keys, tenancy, redis, metrics, shared, opened } = runtime;
    const services: Services = {
      log: log.child({ extension: extension.use }),
      clock,
      keys,
      tenancy,
      redis,
      metrics,
      fetch,
      databaseUrl: loaded.config.store.database,
      folder: folderOf(loaded),
      primary: link(extension.use),
      shared,
      sharedTable: createOpenTable(extension.use, link(TABLES)),
      codec: loaded.registry.codec,
    };
    const instance = await startExtension(extension, () => create(services));
    opened.push({ name: `${extension.kind} ${extension.use}`, close: () => instance.close?.() });
    return instance;
  };

export interface StartedProviders {
  readonly providers: ReadonlyMap<string, RunningProvider>;
  /** By provider: its connections. A reload keeps them, unless the settings of the connections have changed. */
  readonly transports: ReadonlyMap<string, Send>;
}

/** Equal for equal settings. A hash, because the settings can hold secrets. */
const describeConnections = ({ timeouts: { connect }, allowMetadata, proxy, tls }: ProviderConfig): string =>
  hash('sha256', JSON.stringify([connect, allowMetadata, proxy, tls]));

/** How the provider is connected to. */
export const readConnections = ({
  timeouts: { connect },
  allowMetadata,
  proxy,
  tls: { serverName, ...pem } = {},
}: ProviderConfig): ConnectionSettings => ({
  connect,
  allowMetadata,
  ...(proxy === undefined ? {} : { proxy: findProxy(proxy) }),
  tls: omitUndefined({
    serverName,
    context: Object.keys(pem).length === 0 ? undefined : createSecureContext(pem),
  }),
});

const findProxy = (proxy: string): FindProxy => {
  if (proxy === 'environment') return createEnvironmentProxy(process.env);
  const url = new URL(proxy);
  return () => url;
};

/** @throws GatewayError `KOINE_EXTENSION_*` */
export async function startProviders(
  { loaded: { config, extensions }, log, shared }: Runtime,
  start: StartInstance,
): Promise<StartedProviders> {
  const providers = new Map<string, RunningProvider>();
  const transports = new Map<string, Send>();
  const unavailable: Record<string, string> = {};
  for (const [name, settings] of Object.entries(config.providers)) {
    const extension = extensions.providers[name];
    if (extension === undefined) continue;
    const { refuseMembers, acceptMembers, priceFactor } = settings;
    const transport = shared(
      `core/connections of ${name} ${describeConnections(settings)}`,
      () => createUndiciTransport(readConnections(settings)),
      ({ close }) => close(),
    );
    transports.set(name, transport.send);
    const { definition } = extension;
    const instance = await start(extension, (services) => definition.create(settings.config, services));
    const { models: families = [], prices = [], refuses = [] } = definition;
    const accepted = new Set(acceptMembers.map(foldName));
    const refused = [...refuses, ...refuseMembers].filter((member) => !accepted.has(foldName(member)));
    providers.set(name, omitUndefined({ instance, families, prices, priceFactor, refused }));
    // Secrets of files and programs are loaded at once: the first request need not wait, and failures are in the log.
    for (const credential of instance.credentials) credential.ready?.()?.catch(() => {});
    if (instance.credentials.every(({ unavailable: reason }) => reason !== undefined))
      unavailable[name] = instance.credentials[0]?.unavailable ?? 'it has no credentials';
  }
  if (Object.keys(unavailable).length > 0)
    log.warn({ providers: unavailable }, 'the models of these providers are unavailable');
  return { providers, transports };
}

/** In YAML order, with a time limit for each of its hooks. @throws GatewayError `KOINE_EXTENSION_*` */
export async function startPlugins(
  { loaded: { config, extensions }, log, metrics }: Runtime,
  start: StartInstance,
): Promise<readonly PluginInstance[]> {
  const plugins: PluginInstance[] = [];
  for (const [index, extension] of extensions.plugins.entries()) {
    const settings = config.plugins[index];
    if (settings === undefined) continue;
    const { definition } = extension;
    const plugin = await start(extension, (services) => definition.create(settings.config, services));
    const { timeout, onError } = settings;
    plugins.push(watchPlugin(plugin, { plugin: definition.name, timeout, onError, log, metrics }));
  }
  return plugins;
}
