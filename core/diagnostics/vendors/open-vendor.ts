import type { ProviderConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { ProviderInstance } from '../../contracts/provider.ts';
import { createUndiciTransport } from '../../dispatch/undici-transport.ts';
import { closeAll } from '../../extensions/close.ts';
import { startExtension } from '../../extensions/start.ts';
import type { Send } from '../../lanes/channel.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { createDryRunServices } from '../dry-run/services.ts';
import { readConnections } from '../../server/serving/start-extensions.ts';

/** A provider of the configuration that is started by itself, without a gateway. */
export interface Vendor {
  /** Under `providers`. */
  readonly name: string;
  readonly settings: ProviderConfig;
  readonly instance: ProviderInstance;
  /** Names at the vendor that the configuration has in targets, without wildcards. */
  readonly models: readonly string[];
  readonly loaded: LoadedConfig;
  readonly send: Send;
  close(): Promise<void>;
}

/** The names of a provider's models in the targets of the configuration, each once. */
export const listTargets = ({ config }: Pick<LoadedConfig, 'config'>, provider: string): readonly string[] => [
  ...new Set(
    Object.values(config.models)
      .flatMap(({ targets }) => targets)
      .filter((target) => target.provider === provider)
      .map(({ model }) => model),
  ),
];

/**
 * Starts a provider, and connections with its settings (proxy, TLS, timeouts).
 * @throws GatewayError `KOINE_EXTENSION_*`
 */
export async function openVendor(loaded: LoadedConfig, name: string): Promise<Vendor | undefined> {
  const { config, extensions } = loaded;
  const [settings, extension] = [config.providers[name], extensions.providers[name]];
  if (settings === undefined || extension === undefined) return undefined;
  const own = createDryRunServices(loaded);
  const transport = createUndiciTransport(readConnections(settings));
  const opened = [
    { name: `services of ${name}`, close: own.close },
    { name: `connections of ${name}`, close: transport.close },
  ];
  try {
    const services = { ...own.services, fetch: fetchService };
    const instance = await startExtension(extension, () => extension.definition.create(settings.config, services));
    opened.push({ name, close: async () => instance.close?.() });
    const models = listTargets(loaded, name).filter((model) => !model.includes('*'));
    return {
      name,
      settings,
      instance,
      models,
      loaded,
      send: transport.send,
      close: async () => void (await closeAll(opened)),
    };
  } catch (thrown) {
    await closeAll(opened);
    throw thrown;
  }
}
