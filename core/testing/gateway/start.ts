import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PluginDefinition, ProviderDefinition } from '../../api/index.ts';
import type { BuiltIns, ExtensionKind } from '../../extensions/extension.ts';
import { createTestLog, type LogLine } from '../log.ts';
import { defaultPlugins, describeModels, describeProviders, listWires } from './defaults.ts';
import type { TestUpstream } from './upstream.ts';

/** An entry of `plugins` or `providers`, as in `gateway.yaml`. */
export interface TestExtension<Definition> {
  /** The definition itself, or what `use:` names: a built-in, a package, or the absolute path of a file. */
  readonly use: Definition | string;
  readonly config?: object;
  /** Further settings of the entry, such as `timeouts` of a provider. */
  readonly [setting: string]: unknown;
}

/** Options of {@link startTestGateway}. */
export interface TestGatewayOptions {
  /** After `auth` and `metrics`, which are always there. */
  readonly plugins?: readonly TestExtension<PluginDefinition>[];
  /** By name. OpenAI, Anthropic and Google are always there, by their names in lower case; they call the upstream. */
  readonly providers?: Readonly<Record<string, TestExtension<ProviderDefinition>>>;
  /** Further models. Each provider has all models that a request names, as `openai/gpt-4.1`. */
  readonly models?: Readonly<Record<string, object>>;
  /** Of `startTestUpstream`: for settings of a provider that need its address. Absent: a new one. */
  readonly upstream?: TestUpstream;
  /** Further sections of `gateway.yaml`. With `organizations`, `key` is no valid key. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A gateway in this process. */
export interface TestGateway {
  /** Without a trailing slash. */
  readonly url: string;
  /** Of the admin listener. */
  readonly adminUrl: string;
  /** The key `test` of the project `test` in the organization `test`. It may use everything. */
  readonly key: string;
  readonly upstream: TestUpstream;
  /** The lines of the log so far. */
  readonly log: readonly LogLine[];
  /** `fetch` with a path of the gateway; adds the key and `content-type: application/json`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves with the lines of the access log, once so many requests have ended. */
  exchanges(count: number): Promise<readonly LogLine['fields'][]>;
  /** Every metric, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Cuts all connections, and closes the gateway and its upstream. */
  close(): Promise<void>;
}

const KEY = 'test-key-0123456789abcdef';
const PATIENCE = 30_000;

/** Keeps definitions by name, and names them. */
const createGiven = () => {
  const given = { plugin: {} as Record<string, PluginDefinition>, provider: {} as Record<string, ProviderDefinition> };
  const nameUse = <K extends ExtensionKind>(kind: K, use: string | (typeof given)[K][string]): string => {
    if (typeof use === 'string') return use;
    const known = given[kind] as Record<string, unknown>;
    if ((known[use.name] ?? use) !== use) throw new Error(`Two definitions have the name ${JSON.stringify(use.name)}.`);
    known[use.name] = use;
    return use.name;
  };
  return { given, nameUse };
};

/** The configuration, and the definitions that it names. */
const describeGateway = (
  { plugins = [], providers = {}, models, config = {} }: TestGatewayOptions,
  upstream: string,
  builtIns: BuiltIns,
) => {
  const { given, nameUse } = createGiven();
  const own = plugins.map((entry) => ({ ...entry, use: nameUse('plugin', entry.use) }));
  const all = {
    ...describeProviders(upstream),
    ...Object.fromEntries(
      Object.entries(providers).map(([name, entry]) => [name, { ...entry, use: nameUse('provider', entry.use) }]),
    ),
  };
  const { server, admin, ...rest } = config;
  const settings = {
    // The test, the upstream and the gateway share one event loop: its lag is no sign of overload.
    server: { port: 0, overload: { lag: '1m' }, ...(server as object | undefined) },
    admin: { port: 0, ...(admin as object | undefined) },
    store: { database: 'sqlite:./koine.db' },
    organizations: { test: { projects: { test: { keys: { test: { key: KEY } } } } } },
    ...rest,
    providers: all,
    models: { ...describeModels(Object.keys(all), listWires(builtIns)), ...models },
    plugins: [...defaultPlugins.filter(({ use }) => own.every((entry) => entry.use !== use)), ...own],
  };
  return { settings, given };
};

/**
 * A vendor for tests, before the gateway: for providers whose settings need its address. A gateway that gets it closes
 * it.
 */
export async function startTestUpstream(): Promise<TestUpstream> {
  const [{ builtIns }, { loadRegistry }, { listenUpstream }] = await Promise.all([
    import('../../built-ins.ts'),
    import('../../config/load-registry.ts'),
    import('./upstream.ts'),
  ]);
  return listenUpstream(loadRegistry(builtIns, []).registry);
}

const startIn = async (folder: string, options: TestGatewayOptions, upstream: TestUpstream) => {
  const [{ builtIns }, { loadConfig }, { startGateway }, { systemClock: clock }] = await Promise.all([
    import('../../built-ins.ts'),
    import('../../config/load.ts'),
    import('../../gateway.ts'),
    import('../../services/clock.ts'),
  ]);
  const { settings, given } = describeGateway(options, upstream.url, builtIns);
  const file = join(folder, 'gateway.yaml');
  await writeFile(file, JSON.stringify(settings));
  const log = createTestLog();
  const gateway = await startGateway(await loadConfig(file, { ...builtIns, given }, process.env), { log, clock });
  return { gateway, log: log.lines };
};

const exchangesOf =
  (log: readonly LogLine[]): TestGateway['exchanges'] =>
  async (count) => {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const ended = log.filter(({ text }) => text === 'exchange').map(({ fields }) => fields);
      if (ended.length >= count) return ended;
      if (performance.now() > deadline) throw new Error(`Only ${ended.length} of ${count} requests have ended.`);
      await setTimeout(5);
    }
  };

/**
 * Starts a real gateway in this process, on free ports, in front of an upstream that a test scripts. Reads no
 * `gateway.yaml`; its files are in a temporary folder, to which relative paths of settings refer.
 * @throws ConfigError with each mistake of a setting
 * @example
 * const gateway = await startTestGateway({ plugins: [{ use: plugin, config: { word: 'secret' } }] });
 * gateway.upstream.answer({ text: ['It is a sec', 'ret.'] });
 * const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key });
 * const { choices } = await openai.chat.completions.create({ model: 'openai/gpt-4.1', messages });
 * assert.equal(choices[0]?.message.content, 'It is a [redacted].');
 * await gateway.close();
 */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const upstream = options.upstream ?? (await startTestUpstream());
  const folder = await mkdtemp(join(tmpdir(), 'koine-test-'));
  const clean = async (): Promise<void> => {
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  };
  const { gateway, log } = await startIn(folder, options, upstream).catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  const { url } = gateway.data;
  return {
    url,
    adminUrl: gateway.admin.url,
    key: KEY,
    upstream,
    log,
    fetch: (path, { headers, ...init } = {}) => {
      const defaults = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      return fetch(url + path, { ...init, headers: { ...defaults, ...Object.fromEntries(new Headers(headers)) } });
    },
    exchanges: exchangesOf(log),
    metrics: async () => (await fetch(`${gateway.admin.url}/metrics`)).text(),
    close: async () => {
      gateway.cut();
      await gateway.stop();
      await clean();
    },
  };
}
