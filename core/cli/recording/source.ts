import { randomBytes } from 'node:crypto';
import type { Headers, WireName } from '../../canonical/wire.ts';
import type { RouteConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { UpstreamCall, UpstreamRequest } from '../../contracts/provider.ts';
import { startExtension } from '../../extensions/start.ts';
import { startGateway } from '../../gateway.ts';
import { createTestServices } from '../../testing/services.ts';
import { systemClock } from '../../services/clock.ts';
import { createLog } from '../../services/log/log.ts';
import { MisuseError } from '../command.ts';

/** One request, as the codec of its wire writes it. */
export interface RecordedCall {
  readonly wire: WireName;
  readonly model: string;
  readonly body: Uint8Array;
  /** Headers of the wire; without credentials. */
  readonly headers: Headers;
  readonly stream: boolean;
}

/** Where recordings come from: a vendor, or a local gateway with the documented format. */
export interface RecordingSource {
  /** The `origin` of the fixtures. */
  readonly origin: string;
  readonly wires: readonly WireName[];
  address(call: RecordedCall): UpstreamRequest | Promise<UpstreamRequest>;
  /** The model in the body. */
  readonly model: string;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly provider: string;
  readonly model: string;
  /** The model of the configuration that answers where the provider has no key. Default: its first. */
  readonly local?: string;
}

const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10);

/** The vendor itself; undefined where none of its credentials can be used. */
const openVendor = async (
  { config, extensions, registry }: LoadedConfig,
  { provider, model }: SourceOptions,
): Promise<RecordingSource | undefined> => {
  const extension = extensions.providers[provider];
  if (extension === undefined) throw new MisuseError(`No provider of the configuration is called "${provider}".`);
  const services = createTestServices({ log: createLog('warn'), clock: systemClock, codec: registry.codec });
  const instance = await startExtension(extension, () =>
    extension.definition.create(config.providers[provider]?.config, services),
  );
  const credential = instance.credentials.find(({ unavailable }) => unavailable === undefined);
  const endpointWires = instance.endpoint(model).wires.filter(({ operation }) => operation === 'generate');
  if (credential === undefined) return undefined;
  const callOf = ({ wire: _wire, ...call }: RecordedCall): UpstreamCall => ({
    ...call,
    credential: credential.id,
    signal: new AbortController().signal,
  });
  return {
    origin: `recorded ${today()} from the provider ${provider}, model ${model}`,
    wires: endpointWires.map(({ wire }) => wire),
    model,
    address: (call) => {
      const endpointWire = endpointWires.find(({ wire }) => wire === call.wire);
      if (endpointWire === undefined) throw new MisuseError(`${provider} does not speak ${call.wire}.`);
      return endpointWire.buildRequest(callOf(call));
    },
    close: async () => instance.close?.(),
  };
};

/**
 * Some wires have the model and the stream flag in the path. Google's then needs `alt=sse`, or it streams a JSON array.
 */
const pathOf = (routes: readonly RouteConfig[], model: string, stream: boolean): string => {
  const route = routes.find((each) => each.stream === stream) ?? routes.find((each) => each.stream === undefined);
  const path = route?.path ?? '';
  return path.replace('{model}', model) + (stream && path.includes('{model}') ? '?alt=sse' : '');
};

/** A gateway on a free port, with a temporary key and database. */
const openLocal = async (
  loaded: LoadedConfig,
  { provider, local = Object.keys(loaded.config.models)[0] ?? '' }: SourceOptions,
): Promise<RecordingSource> => {
  const key = randomBytes(24).toString('hex');
  const organizations = {
    record: {
      limits: [],
      projects: { record: { limits: [], keys: { record: { key, models: [], disabled: false } } } },
    },
  };
  const { server, admin, routes, models } = loaded.config;
  const codecs = (loaded.extensions.providers[provider]?.definition.codecs ?? []).filter(
    ({ operation }) => operation === 'generate',
  );
  const model = models[local];
  if (model === undefined) throw new MisuseError(`No model of the configuration is called "${local}".`);
  // The model is available on every wire that is recorded, also if its configuration has other `wires`.
  const recorded = { ...model, wires: codecs.map(({ wire }) => wire) };
  const config = {
    ...loaded.config,
    models: { ...models, [local]: recorded },
    organizations,
    server: { ...server, port: 0 },
    admin: { ...admin, port: 0 },
    store: { ...loaded.config.store, database: 'sqlite::memory:' },
  };
  const gateway = await startGateway({ ...loaded, config }, { log: createLog('warn'), clock: systemClock });
  const served = routes.filter(({ operation }) => operation === 'generate');
  return {
    origin: `recorded ${today()} from a local gateway, model ${local}: no key of the provider ${provider} was set`,
    wires: codecs.filter(({ wire }) => served.some((route) => route.wire === wire)).map(({ wire }) => wire),
    model: local,
    address: ({ wire, model, body, headers, stream }) => ({
      origin: gateway.data.url,
      path: pathOf(
        served.filter((route) => route.wire === wire),
        model,
        stream,
      ),
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    }),
    close: () => gateway.stop(),
  };
};

/** The vendor, if a key for it is in the environment; else a local gateway. */
export const openSource = async (loaded: LoadedConfig, options: SourceOptions): Promise<RecordingSource> =>
  (await openVendor(loaded, options)) ?? openLocal(loaded, options);
