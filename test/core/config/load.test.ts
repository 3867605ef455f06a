import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { isLinear } from '../../support/time/growth.ts';
import { builtIns, environment } from './fixture-built-ins.ts';

const certificateWithKey = ['good.pem', 'server.key']
  .map((name) => readFileSync(new URL(`../../faults/tls/${name}`, import.meta.url), 'utf8'))
  .join('\n');

describe('loadConfig', () => {
  let folder = '';
  const load = (text: string, env = environment): Promise<LoadedConfig> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, text);
    return loadConfig(file, builtIns, env);
  };
  const model = 'models: { cloud/one: { targets: [{ provider: cloud, model: one }] } }\n';

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('fills in the default of every setting that the file leaves out', async () => {
    const { config, warnings } = await load(
      `providers: { cloud: { use: vendor } }\n${model}plugins: [{ use: counter }]\n`,
    );
    expect(config).to.deep.equal({
      server: {
        host: '127.0.0.1',
        port: 8787,
        workers: 1,
        bodyLimit: 20_971_520,
        trustProxy: [],
        headersTimeout: 20_000,
        requestTimeout: 300_000,
        keepAliveTimeout: 72_000,
        writeStall: 60_000,
        backgroundTimeout: 86_400_000,
        maxConnections: 10_000,
        connectionsPerAddress: 2_500,
        bodyRate: { perSecond: 1_024, grace: 10_000 },
        overload: {
          inFlight: 2_000,
          lag: 1_000,
          memory: config.server.overload.memory,
          steps: 500_000_000,
          uploads: 200,
          disk: 4_294_967_296,
          perKey: 0.9,
        },
        readOn: { time: 30_000, calls: 512, callsPerKey: 64 },
        drain: { delay: 5_000, timeout: 300_000 },
        watch: true,
        websocket: false,
      },
      admin: { host: '127.0.0.1', port: 8788, auditRetention: 34_560_000_000 },
      store: { database: `sqlite:${folder}/data/koine.db`, redisTimeout: 500 },
      accessLog: { start: false },
      attribution: { user: 'plain' },
      unpricedTools: [],
      codingAgents: ['claude-cli', 'codex', 'GeminiCLI', 'opencode', 'QwenCode'],
      stream: { openAfter: 4000, keepaliveEvery: 15_000 },
      responses: { items: { for: 1_800_000, size: 67_108_864 } },
      providers: {
        cloud: {
          use: 'vendor',
          config: { baseUrl: 'https://vendor.test', retries: 1 },
          timeouts: { connect: 5000, firstByte: 600_000, firstContent: 600_000, idle: 300_000, total: 1_800_000 },
          fetchMedia: { enabled: false, allow: [] },
          allowMetadata: [],
          refuseMembers: [],
          acceptMembers: [],
        },
      },
      models: {
        'cloud/one': {
          targets: [{ provider: 'cloud', model: 'one' }],
          capabilities: {},
          unpriced: 'warn',
          unpricedTools: [],
        },
      },
      alerts: {},
      aliases: {},
      unpriced: 'warn',
      limits: [],
      organizations: {},
      routes: [
        { path: '/v1/chat/completions', wire: 'chat-completions', operation: 'generate' },
        { path: '/v1/messages', wire: 'messages', operation: 'generate' },
        { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
        { path: '/v1/embeddings', wire: 'embeddings', operation: 'embed' },
        { path: '/v1/models', wire: 'chat-completions', operation: 'models' },
        { path: '/v1/models/{model}', wire: 'chat-completions', operation: 'models' },
        { path: '/v1beta/models', wire: 'generate-content', operation: 'models' },
        { path: '/v1beta/models/{model}', wire: 'generate-content', operation: 'models' },
      ],
      plugins: [{ use: 'counter', config: { window: '1m' }, timeout: 5_000, onError: 'fail' }],
    });
    expect(warnings).to.deep.equal([]);
  });

  it('resolves durations, sizes, dates and relative paths', async () => {
    writeFileSync(join(folder, 'tls.pem'), certificateWithKey);
    const { config } = await load(`
server: { bodyLimit: 1.5kb, tls: { cert: tls.pem, key: ./tls.pem } }
store: { database: "sqlite:koine.db" }
stream: { openAfter: 250ms, keepaliveEvery: 0.5m }
providers: { cloud: { use: vendor, timeouts: { connect: 1h, firstContent: 20s } } }
models: { cloud/one: { timeouts: { idle: 90s, total: 2h }, targets: [{ provider: cloud, model: one }] } }
organizations: { acme: { projects: { web: { keys: {
  day: { key: a, expires: 2030-01-31 },
  local: { key: b, expires: 2030-01-31T12:00 },
  zoned: { key: c, expires: "2030-01-31T12:00:00+02:00" },
  digest: { sha256: ${'AB'.repeat(32)}, models: [cloud/one], disabled: true } } } } } }
`);
    expect(config.server.bodyLimit).to.equal(1536);
    expect(config.server.tls).to.deep.equal({ cert: join(folder, 'tls.pem'), key: join(folder, 'tls.pem') });
    expect(config.store.database).to.equal(`sqlite:${join(folder, 'koine.db')}`);
    expect(config.stream).to.deep.equal({ openAfter: 250, keepaliveEvery: 30_000 });
    expect(config.providers['cloud']?.timeouts).to.deep.equal({
      connect: 3_600_000,
      firstByte: 600_000,
      firstContent: 20_000,
      idle: 300_000,
      total: 1_800_000,
    });
    expect(config.models['cloud/one']?.timeouts).to.deep.equal({ idle: 90_000, total: 7_200_000 });
    expect(config.organizations['acme']?.projects['web']?.keys).to.deep.equal({
      day: { key: 'a', models: [], disabled: false, expires: Date.UTC(2030, 0, 31) },
      local: { key: 'b', models: [], disabled: false, expires: Date.UTC(2030, 0, 31, 12) },
      zoned: { key: 'c', models: [], disabled: false, expires: Date.UTC(2030, 0, 31, 10) },
      digest: { sha256: 'ab'.repeat(32), models: ['cloud/one'], disabled: true },
    });
  });

  it('resolves limits, and distinguishes an empty list from none', async () => {
    const { config } = await load(`
plugins: [{ use: counter }]
limits: [{ requests: 60, per: 1m }, { cost: 0.1, per: day, onStoreFailure: deny }]
organizations:
  acme:
    keyLimits: []
    projects:
      web:
        limits: [{ tokens: 1000, per: 7d, burst: 5, enforce: false }]
        keys: { own: { key: a, limits: [{ concurrent: "\${NUMBER:-8}" }] }, none: { key: b, limits: [] }, above: { key: c } }
`);
    const all = { models: [], enforce: true };
    expect(config.limits).to.deep.equal([
      { unit: 'requests', amount: 60, per: 60_000, ...all },
      { unit: 'cost', amount: 100_000_000, per: 'day', onStoreFailure: 'deny', ...all },
    ]);
    const acme = config.organizations['acme'];
    expect([acme?.limits, acme?.keyLimits]).to.deep.equal([[], []]);
    const web = acme?.projects['web'];
    expect(web?.limits).to.deep.equal([
      { unit: 'tokens', amount: 1000, per: 604_800_000, burst: 5, models: [], enforce: false },
    ]);
    expect(web).not.to.have.property('keyLimits');
    expect(web?.keys['own']?.limits).to.deep.equal([{ unit: 'concurrent', amount: 8, ...all }]);
    expect(web?.keys['none']?.limits).to.deep.equal([]);
    expect(web?.keys['above']).not.to.have.property('limits');
  });

  it("resolves the price of each target in nano-dollars: its own, or else the model's", async () => {
    const { config } = await load(`
providers: { cloud: { use: vendor } }
models:
  cloud/one:
    price: { input: 1.1, output: 8, cacheRead: 0.275 }
    targets: [{ provider: cloud, model: a }, { provider: cloud, model: b, price: { input: 0, output: 0.000000001, cacheWrite5m: 3 } }]
  cloud/two: { targets: [{ provider: cloud, model: a }] }
`);
    const source = { page: 'gateway.yaml' };
    expect(
      config.models['cloud/one']?.targets.map(({ price }) => ({ ...price?.[0], version: undefined })),
    ).to.deep.equal([
      {
        input: 1_100_000_000n,
        output: 8_000_000_000n,
        cacheRead: 275_000_000n,
        cacheWrite5m: 1_100_000_000n,
        cacheWrite1h: 1_100_000_000n,
        source,
        version: undefined,
      },
      {
        input: 0n,
        output: 1n,
        cacheRead: 0n,
        cacheWrite5m: 3_000_000_000n,
        cacheWrite1h: 3_000_000_000n,
        source,
        version: undefined,
      },
    ]);
    expect(config.models['cloud/one']).not.to.have.property('price');
    expect(config.models['cloud/two']?.targets).to.deep.equal([{ provider: 'cloud', model: 'a' }]);
  });

  it('resolves the number of workers, with auto as one per processor', async () => {
    expect((await load('server: { workers: 3 }')).config.server.workers).to.equal(3);
    expect((await load('server: { workers: auto }')).config.server.workers).to.equal(availableParallelism());
  });

  it('a configuration has no Redis when its variable is empty', async () => {
    expect((await load('store: { redis: "${EMPTY:-}" }')).config.store).not.to.have.property('redis');
    for (const url of ['redis://127.0.0.1:6379', 'rediss://koine:word@cache.internal:6380/0'])
      expect((await load(`store: { redis: "${url}" }`)).config.store.redis).to.deep.equal({ url });
  });

  it('sqlite::memory: is not resolved to a path', async () => {
    expect((await load('store: { database: "sqlite::memory:" }')).config.store.database).to.equal('sqlite::memory:');
  });

  it('does not change the URL of a Postgres database', async () => {
    for (const url of ['postgres://koine:word@db.internal:5432/koine?sslmode=verify-full', 'postgresql://db/koine'])
      expect((await load(`store: { database: "${url}" }`)).config.store.database).to.equal(url);
  });

  it('treats an empty admin token as absent', async () => {
    expect((await load('admin: { token: "${EMPTY:-}" }')).config.admin).not.to.have.property('token');
    expect((await load('admin: { token: "${LONG}", host: 0.0.0.0 }')).config.admin.token).to.equal(environment.LONG);
  });

  it('converts the text of a variable to the number or boolean that the setting requires', async () => {
    const { config } = await load(`
server: { port: "\${PORT}" }
providers:
  cloud: { use: vendor, config: { retries: "\${LIMIT:-2}", apiKey: "\${KEY:-sk-12}" } }
models:
  cloud/one: { targets: [{ provider: cloud, model: "\${NUMBER:-17}" }], capabilities: { vision: "\${FLAG}" } }
`);
    expect(config.server.port).to.equal(9001);
    expect(config.providers['cloud']?.config).to.include({ retries: 2, apiKey: 'sk-12' });
    expect(config.models['cloud/one']).to.deep.include({
      targets: [{ provider: 'cloud', model: '17' }],
      capabilities: { vision: true },
    });
  });

  it('interpolates inside text, through anchors and from files, but not in keys', async () => {
    writeFileSync(join(folder, 'secret'), 'from-a-file\n');
    const { config } = await load(`
server: { host: &host "\${HOST:-h}-\${EMPTY:-e}-\${EMPTY}-$\${HOST}-$5" }
admin: { host: localhost, token: "\${file:./secret}" }
store: { database: "sqlite:\${file:${folder}/secret}.db" }
organizations: { acme: { projects: { web: { keys: { a: { key: *host } } } } } }
`);
    expect(config.server.host).to.equal('h-e--${HOST}-$5');
    expect(config.admin.token).to.equal('from-a-file');
    expect(config.store.database).to.equal(`sqlite:${folder}/from-a-file.db`);
    expect(config.organizations['acme']?.projects['web']?.keys['a']?.key).to.equal('h-e--${HOST}-$5');
  });

  it('derives the operation of a route from its wire', async () => {
    const { config } = await load(`
routes:
  - { path: /a, wire: embeddings }
  - { path: /b, wire: messages }
  - { path: /c, wire: messages, operation: count-tokens, versions: [v1] }
  - { path: /d, wire: messages, stream: true }
  - { path: /e, wire: messages, operation: models }
`);
    expect(config.routes.map(({ operation, wire }) => `${operation} ${wire}`)).to.deep.equal([
      'embed embeddings',
      'generate messages',
      'count-tokens messages',
      'generate messages',
      'models messages',
    ]);
    expect(config.routes[2]).to.deep.include({ versions: ['v1'] });
    expect(config.routes[3]).to.deep.include({ stream: true });
  });

  it('resolves aliases of aliases to the model', async () => {
    const { config } = await load(
      `providers: { cloud: { use: vendor } }\n${model}aliases: { a: b, b: cloud/one, c: a }\n`,
    );
    expect(config.aliases).to.deep.equal({ a: 'cloud/one', b: 'cloud/one', c: 'cloud/one' });
  });

  it('deeply freezes the configuration', async () => {
    const { config } = await load(`providers: { cloud: { use: vendor } }\n${model}`);
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(config)).to.equal(true);
  });

  it('returns plugins in order, providers by name, and the codecs of all built-ins', async () => {
    const { extensions, registry } = await load(
      `providers: { b: { use: vendor }, a: { use: vendor } }\nplugins: [{ use: counter }, { use: guard }]\n`,
    );
    expect(extensions.plugins.map(({ use }) => use)).to.deep.equal(['counter', 'guard']);
    expect(Object.keys(extensions.providers)).to.deep.equal(['b', 'a']);
    expect(extensions.providers['a']).to.include({
      kind: 'provider',
      source: 'built-in',
      definition: builtIns.provider['vendor'],
    });
    expect((await load('plugins: []')).registry.codec('generate', 'messages')).to.equal(
      registry.codec('generate', 'messages'),
    );
    expect(registry.framing('sse')).to.have.property('name', 'sse');
  });

  it('the default configuration has the standard routes whose wires exist', async () => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, 'server: {}');
    const { config } = await loadConfig(file, { provider: {}, plugin: {} }, {});
    expect(config.routes.map(({ path }) => path)).to.deep.equal([
      '/v1/models',
      '/v1/models/{model}',
      '/v1beta/models',
      '/v1beta/models/{model}',
    ]);
  });

  it('reports the path of a file that cannot be read', async () => {
    const thrown: unknown = await loadConfig(join(folder, 'none.yaml'), builtIns, {}).catch((error: unknown) => error);
    expect(thrown).to.have.property('code', 'KOINE_CONFIG_UNREADABLE');
    expect(thrown)
      .to.have.property('message')
      .that.matches(/none\.yaml cannot be read: there is no such file\.$/);
  });

  it('loads 20,000 aliases in linear time', async () => {
    const textOf = (length: number): string => {
      const aliases = Array.from({ length }, (_, index) => `  alias-${index}: cloud/one`).join('\n');
      return `providers: { cloud: { use: vendor } }\n${model}aliases:\n${aliases}\n`;
    };
    const { config } = await load(textOf(20_000));
    expect(Object.keys(config.aliases)).to.have.length(20_000);
    expect(await isLinear(1_000, textOf, load)).to.equal(true);
  });
});
