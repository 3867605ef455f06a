import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { omitUndefined } from '../../core/api/codec.ts';
import { runKoine, type KoineProcess } from '../processes/koine-process.ts';
import { startPostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { createMark, type Mark } from './marks.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import { behaviours, startVendor, type Vendor } from './vendor.ts';

const crashing = fileURLToPath(new URL('crashing.ts', import.meta.url));
/** Vendors that are called in turn, and one whose streams never end. */
const kinds = [...behaviours, 'held'];
export const vendors = ['openai', 'anthropic', 'google'] as const;
const prefixes: Readonly<Record<(typeof vendors)[number], string>> = {
  openai: 'sk-',
  anthropic: 'sk-ant-',
  google: '',
};
const everyWire = ['chat-completions', 'responses', 'messages', 'generate-content'];

/** A gateway in its own processes with every secret marked, and everything that it connects to. */
export interface CanaryScene {
  readonly marks: Mark[];
  readonly outputs: Outputs;
  readonly vendor: Vendor;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly databaseUrl: string;
  /** Environment variables of the gateway with the secrets that its configuration refers to. */
  readonly variables: Readonly<Record<string, string>>;
  readonly settings: (workers: number) => Readonly<Record<string, unknown>>;
  mark(name: string): string;
  keep(mark: Mark): void;
  start(workers: number): Promise<KoineProcess>;
  stop(): Promise<void>;
}

const variableOf = (name: string): string => `SECRET_${name.replaceAll(/[^a-z0-9]/gi, '_').toUpperCase()}`;

const createMarks = (): Mark[] => [
  ...[
    'admin-token',
    'plugin-token',
    'otel-token',
    'key-service-token',
    'webhook-secret',
    'mail-password',
    'attribution-secret',
    'webhook-query',
    'redis-password',
    'postgres-password',
  ].map((name) => createMark(name)),
  ...['alice', 'bob', 'carol'].map((name) => createMark(`key ${name}`)),
  ...['key', 'admin-token', 'session'].map((name) => createMark(`wrong ${name}`, 'koine_')),
  ...['chat', 'responses', 'messages', 'google', 'bad', 'bob', 'open'].map((name) => createMark(`prompt ${name}`)),
  createMark('answer'),
  createMark('name'),
  createMark('broken', '', '+/%='),
  ...vendors.flatMap((vendor) =>
    kinds.map((behaviour) => createMark(`credential ${vendor}-${behaviour}`, prefixes[vendor])),
  ),
];

/** A user of the database whose password is marked. */
const createUser = async (postgres: PostgresServer, password: string): Promise<string> => {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`CREATE ROLE canary LOGIN SUPERUSER PASSWORD ${client.escapeLiteral(password)}`);
  await client.end();
  return `postgres://canary:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/postgres`;
};

const providersOf = (url: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    vendors.flatMap((vendor) =>
      kinds.map((behaviour) => {
        const name = `${vendor}-${behaviour}`;
        const config = {
          apiKey: `\${${variableOf(`credential ${name}`)}}`,
          baseUrl: `${url}/${behaviour}${vendor === 'openai' ? '/v1' : ''}`,
        };
        return [name, { use: vendor, config, timeouts: { idle: '5s' } }];
      }),
    ),
  );

const modelsOf = (providers: Readonly<Record<string, object>>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.keys(providers).map((provider) => [
      `${provider}/m`,
      { wires: everyWire, price: { input: 3, output: 15 }, targets: [{ provider, model: 'm' }] },
    ]),
  );

const pluginsOf = (vendor: string): readonly object[] => [
  {
    use: 'traces',
    config: {
      endpoint: `${vendor}/otel/v1/traces`,
      headers: { authorization: `Bearer \${${variableOf('otel-token')}}` },
    },
  },
  { use: 'metrics' },
  { use: crashing, config: { token: `\${${variableOf('plugin-token')}}` }, onError: 'skip' },
  {
    use: 'auth',
    config: {
      failures: false,
      remote: {
        url: `${vendor}/404/check`,
        headers: { authorization: `Bearer \${${variableOf('key-service-token')}}` },
      },
    },
  },
  { use: 'rate-limit' },
  { use: 'cache-accounting' },
  { use: 'ledger', config: { lease: '1s', spool: { path: './spool' } } },
  { use: 'failover' },
  { use: 'dashboard' },
];

const settingsOf =
  (vendor: string) =>
  (workers: number): Readonly<Record<string, unknown>> => {
    const providers = providersOf(vendor);
    const keyOf = (name: string, limits?: readonly object[]): object =>
      omitUndefined({
        key: `\${${variableOf(`key ${name}`)}}`,
        limits,
      });
    return {
      server: { workers, requestTimeout: '30s' },
      // The members for the end user have a prompt: its digest may be recorded, and nothing else of it.
      attribution: { user: 'hash', secret: `\${${variableOf('attribution-secret')}}` },
      alerts: {
        webhook: {
          url: `${vendor}/403/hook?key=\${${variableOf('webhook-query URL')}}`,
          secret: `\${${variableOf('webhook-secret')}}`,
        },
        email: {
          host: '127.0.0.1',
          port: 9,
          encryption: 'none',
          user: 'koine',
          password: `\${${variableOf('mail-password')}}`,
          from: 'koine@example.com',
          to: ['operators@example.com'],
        },
      },
      admin: { port: 0, token: `\${${variableOf('admin-token')}}` },
      store: { database: `\${${variableOf('database')}}`, redis: `\${${variableOf('redis')}}` },
      providers,
      models: modelsOf(providers),
      limits: [{ requests: 100_000, per: '1m' }],
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: keyOf('alice'),
                bob: keyOf('bob'),
                carol: keyOf('carol', [{ cost: 0.000001, per: 'month', soft: [0.5] }]),
              },
            },
          },
        },
      },
      plugins: pluginsOf(vendor),
    };
  };

/** Starts everything except the gateway. */
export const startCanary = async (): Promise<CanaryScene> => {
  const marks = createMarks();
  const mark = (name: string): string => marks.find((each) => each.name === name)?.value ?? '';
  const vendor = await startVendor(mark('answer'));
  const postgres = await startPostgres();
  const redis = await startRedis('--requirepass', mark('redis-password'));
  const databaseUrl = await createUser(postgres, mark('postgres-password'));
  const variables = {
    ...Object.fromEntries(marks.map(({ name, value }) => [variableOf(name), value])),
    [variableOf('webhook-query URL')]: encodeURIComponent(mark('webhook-query')),
    [variableOf('database')]: databaseUrl,
    [variableOf('redis')]: `redis://:${encodeURIComponent(mark('redis-password'))}@127.0.0.1:${redis.port}`,
  };
  const settings = settingsOf(vendor.url);
  const started: KoineProcess[] = [];
  return {
    marks,
    outputs: createOutputs(),
    vendor,
    postgres,
    redis,
    databaseUrl,
    variables,
    settings,
    mark,
    keep: (made) => void marks.push(made),
    start: async (workers) => {
      const koine = runKoine(settings(workers), variables);
      started.push(koine);
      let isOver = false;
      void koine.exit.then(() => (isOver = true));
      await until(
        'the gateway serves',
        () => isOver || (koine.url !== '' && (workers === 1 || koine.workers().length >= workers)),
      );
      if (isOver) throw new Error(`it did not start: ${koine.stderr()}`);
      return koine;
    },
    stop: async () => {
      for (const koine of started) await koine.end();
      await vendor.stop();
      await redis.stop();
      await postgres.stop();
    },
  };
};
