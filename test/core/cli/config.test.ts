import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { runHere } from './run-here.ts';
import { runKoine } from './run-koine.ts';

/** A part of every secret in this test. */
const CANARY = 'canary';

const files: Readonly<Record<string, string>> = {
  'gateway.yaml': `include: [parts/*.yaml]
server:
  port: "\${PORT}"
  host: 127.0.0.1 # a comment
admin:
  token: "\${TOKEN}"
store:
  redis: redis://user:canary-1@cache.internal:6379
providers:
  near: { use: openai-compatible, config: { baseUrl: "http://\${HOST:-127.0.0.1}:8000/v1?api-key=canary-13", apiKey: "\${UNSET:-canary-2}", headers: { x-account: canary-3 } } }
  secret: { use: openai, config: { apiKeys: [canary-4, "sk-\${KEY}", "\${file:key}"] } }
models:
  near/one: { targets: [{ provider: near, model: "\${TOKEN}" }, { provider: secret, model: "x-\${KEY}-y" }, { provider: secret, model: "\${PIN}" }] }
plugins:
  - use: ./plugin.mjs
    config: { pepper: canary-5, salt: "\${SALT}", pin: "\${PIN}", depth: { token: canary-6 }, plain: seen }
`,
  'parts/keys.yaml': `organizations:
  acme: { projects: { web: { keys: { alice: { key: "\${ALICE}", expires: 2999-01-31 }, bob: { key: canary-7 } } } } }
aliases: { fast: near/one }
`,
  'key': 'canary-8\n',
  'plugin.mjs': `const text = { type: 'string' };
export default { kind: 'plugin', apiVersion: 1, name: 'own', create: () => ({}), schema: { type: 'object', additionalProperties: false, properties: {
  pepper: { ...text, writeOnly: true }, salt: text, pin: { type: 'integer' }, depth: { type: 'object' }, plain: text, more: { ...text, default: 'usual' } } } };
`,
};
const env = {
  PORT: '9001',
  TOKEN: 'canary-9-token',
  KEY: 'canary-10-key',
  SALT: 'canary-11-salt',
  PIN: '424242',
  ALICE: 'canary-12-alice',
};

describe('koine config print', () => {
  let folder = '';
  const print = (...args: readonly string[]) => runHere(['config', 'print', ...args], { cwd: folder, env });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
    mkdirSync(join(folder, 'parts'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('koine config masks secrets in every format', async () => {
    for (const args of [[], ['--effective'], ['--format', 'json'], ['--effective', '--format', 'json']]) {
      const { code, out, err } = await print(...args);
      expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
      expect(out, args.join(' ')).not.to.match(new RegExp(`${CANARY}|424242`));
      expect(out, args.join(' ')).to.include('seen');
    }
  });

  it('koine config prints the merged files as written, with variables and without defaults', async () => {
    const { out } = await print();
    expect(parse(out)).to.deep.equal({
      server: { port: '${PORT}', host: '127.0.0.1' },
      admin: { token: '${TOKEN}' },
      store: { redis: 'redis://user:[redacted]@cache.internal:6379' },
      providers: {
        near: {
          use: 'openai-compatible',
          config: {
            baseUrl: 'http://${HOST:-127.0.0.1}:8000/v1?api-key=[redacted]',
            apiKey: '${UNSET:-[redacted]}',
            headers: { 'x-account': '[redacted]' },
          },
        },
        secret: { use: 'openai', config: { apiKeys: ['[redacted]', '[redacted]${KEY}', '${file:key}'] } },
      },
      models: {
        'near/one': {
          targets: [
            { provider: 'near', model: '${TOKEN}' },
            { provider: 'secret', model: 'x-${KEY}-y' },
            { provider: 'secret', model: '${PIN}' },
          ],
        },
      },
      plugins: [
        {
          use: './plugin.mjs',
          config: {
            pepper: '[redacted]',
            salt: '${SALT}',
            pin: '${PIN}',
            depth: { token: '[redacted]' },
            plain: 'seen',
          },
        },
      ],
      organizations: {
        acme: {
          projects: {
            web: { keys: { alice: { key: '${ALICE}', expires: '2999-01-31' }, bob: { key: '[redacted]' } } },
          },
        },
      },
      aliases: { fast: 'near/one' },
    });
    expect(JSON.parse((await print('--format', 'json')).out)).to.deep.equal(parse(out));
  });

  it('prints every effective value with its origin', async () => {
    const lines = (await print('--effective')).out.split('\n').map((line) => line.trim());
    for (const line of [
      'port: 9001 # gateway.yaml:3, variable PORT',
      'host: 127.0.0.1 # gateway.yaml:4',
      'workers: 1 # default',
      'trustProxy: [] # default',
      'token: "[redacted]" # gateway.yaml:6, variable TOKEN',
      'redis: redis://user:[redacted]@cache.internal:6379 # gateway.yaml:8',
      'apiKey: "[redacted]" # gateway.yaml:10, default of variable UNSET',
      'model: "[redacted]" # gateway.yaml:13, variable TOKEN',
      '- "[redacted]" # gateway.yaml:11, file key',
      'pin: "[redacted]" # gateway.yaml:16, variable PIN',
      'plain: seen # gateway.yaml:16',
      'more: usual # default',
      'key: "[redacted]" # parts/keys.yaml:2, variable ALICE',
      'fast: near/one # parts/keys.yaml:3',
    ])
      expect(lines).to.include(line);
    const values = JSON.parse((await print('--effective', '--format', 'json')).out);
    expect(values.server.port).to.deep.equal({ value: 9001, origin: 'gateway.yaml:3, variable PORT' });
    expect(values.aliases.fast).to.deep.equal({ value: 'near/one', origin: 'parts/keys.yaml:3' });
    expect(values).not.to.have.property('include');
  });

  it('prints a file with errors as written, but not its effective values', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'server: { prot: "${UNSET}" }\n');
    const written = await print('--config', 'bad.yaml');
    expect([written.code, written.out]).to.deep.equal([0, 'server:\n  prot: ${UNSET}\n']);
    const effective = await print('--config', 'bad.yaml', '--effective');
    expect([effective.code, effective.out]).to.deep.equal([1, '']);
    expect(effective.err).to.match(/^bad\.yaml:1:11 error unknown-key /);
  });

  it('exits with 2 on an unknown verb, option or format', async () => {
    expect((await runHere(['config'])).err).to.match(/^A verb is missing: koine config print\./);
    expect((await runKoine(['config', 'show'])).code).to.equal(2);
    expect((await print('--format', 'xml')).err).to.match(/^--format must be yaml or json, not "xml"\./);
  });
});
