import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { describeComparable } from '../../../../core/config/diff/comparable-config.ts';
import { describeConfig } from '../../../../core/config/write/describe-config.ts';
import { loadConfig } from '../../../../core/config/load.ts';
import { formatSize } from '../../../../core/config/units/size.ts';
import { builtIns } from '../../cli/all-built-ins.ts';

describe('describeConfig', () => {
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  after(() => rmSync(folder, { recursive: true }));

  const load = async (text: string) => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, text);
    return loadConfig(file, builtIns, { SECRET: 'very-secret' });
  };
  const mask = (): string => '***';
  const settings = `
server: { bodyLimit: 1536b, requestTimeout: 90s }
admin: { token: "\${SECRET}" }
store: { redis: "redis://user:very-secret@cache:6379", redisTimeout: 250ms }
providers:
  openai: { use: openai, config: { apiKey: "\${SECRET}", apiKeys: ["very-secret"] } }
  near: { use: openai-compatible, config: { baseUrl: "http://me:very-secret@127.0.0.1/v1?api-key=very-secret&v=1", headers: { x-team: very-secret } } }
models:
  openai/a: { targets: [{ provider: openai, model: a, price: { input: 0.1, output: 1.25, cacheRead: 0.025 } }], timeouts: { total: 2h } }
  near/b: { targets: [{ provider: near, model: b }] }
limits: [{ requests: 60, per: 1m, burst: 5 }, { cost: 2.5, per: month, models: [openai/a] }]
organizations: { acme: { projects: { web: { keys: { alice: { key: very-secret-too, models: [openai/a], expires: 2030-01-31, limits: [{ concurrent: 2 }] } } } } } }
plugins: [{ use: auth }, { use: rate-limit, timeout: 250ms }]
`;

  it('formats a resolved configuration as an operator would write it', async () => {
    const described = describeConfig(await load(settings), mask);
    expect(described['server']).to.include({ bodyLimit: '1536b', requestTimeout: '90s', writeStall: '1m', port: 8787 });
    expect(described['limits']).to.deep.equal([
      { requests: 60, per: '1m', burst: 5 },
      { cost: 2.5, per: 'month', models: ['openai/a'] },
    ]);
    expect(described).to.have.nested.property('models.openai/a.timeouts.total', '2h');
    expect(described)
      .to.have.nested.property('models.openai/a.targets[0].price')
      .that.deep.equals({ input: 0.1, output: 1.25, cacheRead: 0.025, cacheWrite5m: 0.1, cacheWrite1h: 0.1 });
    expect(described).to.have.nested.property(
      'organizations.acme.projects.web.keys.alice.expires',
      '2030-01-31T00:00:00.000Z',
    );
    expect(described).to.have.nested.property('organizations.acme.projects.web.keys.alice.models[0]', 'openai/a');
    expect(described).to.have.nested.property('plugins[1].timeout', '250ms');
  });

  it('the described configuration loads as an equal configuration', async () => {
    const loaded = await load(settings);
    const { cert: _cert, ...again } = describeConfig(loaded, (secret) => secret) as Record<string, unknown>;
    expect((await load(stringify(again))).config).to.deep.equal(loaded.config);
  });

  it('masks secrets of the gateway, of extensions, in headers and in URLs', async () => {
    const text = JSON.stringify(describeConfig(await load(settings), mask));
    expect(text).not.to.match(/very-secret/);
    expect(text.match(/\*\*\*/g)).to.have.length(8);
    expect(text).to.include('http://me:***@127.0.0.1/v1?api-key=***&v=1');
  });

  it('masks settings that the schema of an extension marks as writeOnly', async () => {
    writeFileSync(
      join(folder, 'own.ts'),
      "export default { kind: 'plugin', apiVersion: 1, name: 'own', schema: { type: 'object', properties: { hook: { type: 'string', writeOnly: true }, shown: { type: 'string' } } }, create: () => ({}) };",
    );
    const described = describeConfig(
      await load('plugins: [{ use: ./own.ts, config: { hook: https://hooks.test/T0/very-secret, shown: this } }]'),
      mask,
    );
    expect(described).to.have.nested.property('plugins[0].config').that.deep.equals({ hook: '***', shown: 'this' });
  });

  it('describeComparable masks every value that a variable gave to an extension', async () => {
    const loaded = await load(
      'providers: { near: { use: openai-compatible, config: { baseUrl: "https://${SECRET}/v1" } }, openai: { use: openai, config: { organization: "${NONE:-ours}" } } }',
    );
    const { config } = describeComparable(loaded);
    expect(config)
      .to.have.nested.property('providers.near.config.baseUrl')
      .that.matches(/^\*\*\*[0-9a-f]{4}$/);
    expect(config).to.have.nested.property('providers.openai.config.organization', 'ours');
  });

  it('describeComparable gives different secrets different masks under the same salt', async () => {
    await load(settings);
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (token) => {
        const loaded = await loadConfig(join(folder, 'gateway.yaml'), builtIns, { SECRET: token });
        return (salt?: string): unknown =>
          (describeComparable(loaded, salt).config['admin'] as { token: unknown }).token;
      }),
    );
    expect(one!())
      .to.match(/^\*\*\*[0-9a-f]{4}$/)
      .and.equal(one!())
      .and.not.equal(two!())
      .and.not.equal(one!('another'));
  });
});

describe('formatSize', () => {
  for (const [bytes, text] of [
    [1, '1b'],
    [1024, '1kb'],
    [1536, '1536b'],
    [33_554_432, '32mb'],
    [1024 ** 3, '1gb'],
  ] as const)
    it(`formats ${bytes} bytes as ${text}`, () => expect(formatSize(bytes)).to.equal(text));
});
