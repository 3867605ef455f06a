import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig, type LoadedConfig } from '../../../core/config/load.ts';
import { createApiKeySchemas } from '../../../core/dispatch/credentials/api-keys.ts';
import { loadSchema } from '../../../core/config/schema/load-schema.ts';
import { builtIns, environment } from './fixture-built-ins.ts';

const plugin = fileURLToPath(new URL('../../fixtures/extensions/good/index.ts', import.meta.url));
const model = (id: string): string => `  cloud/${id}: { targets: [{ provider: cloud, model: ${id} }] }\n`;

const certificateWithKey = ['good.pem', 'server.key']
  .map((name) => readFileSync(new URL(`../../faults/tls/${name}`, import.meta.url), 'utf8'))
  .join('\n');

describe('included files', () => {
  let folder = '';
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const load = (env: Readonly<Record<string, string>> = environment): Promise<LoadedConfig> =>
    loadConfig(join(folder, 'gateway.yaml'), builtIns, env);
  const at = (...names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('files and programs of API keys are relative to the file that names them', async () => {
    write({
      'gateway.yaml': `include: [parts/a.yaml]\nmodels:\n${model('a')}`,
      'parts/key': 'sk-of-file',
      'parts/a.yaml':
        'providers:\n  cloud:\n    use: keyed\n    config:\n      apiKey: { file: key }\n' +
        '      apiKeys: [sk-text, { exec: [bin/print, key] }, { exec: [cat, key] }, { file: /dev/null }]\n',
      'parts/bin/print': '#!/bin/sh\n',
    });
    chmodSync(join(folder, 'parts/bin/print'), 0o755);
    const { vendor } = builtIns.provider;
    if (vendor === undefined) throw new Error('the fixture has no vendor');
    const schema = { type: 'object', properties: createApiKeySchemas('The key.') };
    const keyed = { ...builtIns, provider: { keyed: { ...vendor, name: 'keyed', schema } } };
    const { config } = await loadConfig(join(folder, 'gateway.yaml'), keyed, process.env);
    expect(config.providers['cloud']?.config).to.deep.equal({
      apiKey: { file: 'parts/key' },
      apiKeys: ['sk-text', { exec: ['parts/bin/print', 'key'] }, { exec: ['cat', 'key'] }, { file: '/dev/null' }],
    });
  });

  it('merges mappings by key, concatenates lists, and reads matching files by name', async () => {
    write({
      'gateway.yaml':
        'include: [parts/*.yaml]\nserver: { port: 1 }\nproviders: { cloud: { use: vendor } }\nplugins: [{ use: counter }]\nlimits: [{ requests: 1, per: 1m }]\n',
      'parts/b.yaml': `models:\n${model('b')}limits: [{ requests: 3, per: 1h }]\nplugins: [{ use: guard }]\n`,
      'parts/a.yaml': `models:\n${model('a')}limits: [{ requests: 2, per: 10m }]\nserver: { host: "::1" }\n`,
      'parts/c.yml': 'no: file of ours\n',
    });
    const { config, files } = await load();
    expect(Object.keys(config.models)).to.deep.equal(['cloud/a', 'cloud/b']);
    expect(config.limits.map(({ amount }) => amount)).to.deep.equal([1, 2, 3]);
    expect(config.plugins.map(({ use }) => use)).to.deep.equal(['counter', 'guard']);
    expect(config.server).to.include({ port: 1, host: '::1' });
    expect(config).not.to.have.property('include');
    expect(files).to.deep.equal(at('gateway.yaml', 'parts/a.yaml', 'parts/b.yaml'));
  });

  it('resolves relative paths and secret files from the folder of the file that names them', async () => {
    write({
      'gateway.yaml': 'include: [parts/all.yaml]\n',
      'parts/all.yaml': `
server: { tls: { cert: tls.pem, key: ./tls.pem } }
store: { database: "sqlite:data/koine.db" }
admin: { token: "\${file:token}" }
providers: { cloud: { use: vendor, tls: { cert: tls.pem, key: "\${file:tls.pem}", serverName: a.test } } }
models: { cloud/one: { targets: [{ provider: cloud, model: one }] } }
plugins: [{ use: ./mine.ts, config: { place: there } }]
`,
      'parts/tls.pem': certificateWithKey,
      'parts/token': 'word\n',
    });
    symlinkSync(plugin, join(folder, 'parts/mine.ts'));
    const { config, files, extensions } = await load();
    expect(config.server.tls).to.deep.equal({
      cert: join(folder, 'parts/tls.pem'),
      key: join(folder, 'parts/tls.pem'),
    });
    expect(config.providers['cloud']?.tls?.key?.trim()).to.equal(config.providers['cloud']?.tls?.cert?.trim());
    expect(config.providers['cloud']?.tls?.serverName).to.equal('a.test');
    expect(config.store.database).to.equal(`sqlite:${join(folder, 'parts/data/koine.db')}`);
    expect(config.admin.token).to.equal('word');
    expect(extensions.plugins.map(({ use, source }) => [use, source])).to.deep.equal([
      ['./parts/mine.ts', join(folder, 'parts/mine.ts')],
    ]);
    const own = at('gateway.yaml', 'parts/all.yaml', 'parts/token', 'parts/tls.pem', 'parts/mine.ts');
    expect(files).to.deep.equal([...own, plugin]);
  });

  it('does not change absolute paths and names that are not paths', async () => {
    write({
      'gateway.yaml': 'include: [parts/all.yaml]\n',
      'parts/all.yaml': `store: { database: "sqlite::memory:" }\nplugins: [{ use: counter }, { use: ${plugin}, config: { place: there } }]\n`,
    });
    const { config } = await load();
    expect(config.store.database).to.equal('sqlite::memory:');
    expect(config.plugins.map(({ use }) => use)).to.deep.equal(['counter', plugin]);
  });

  it('reads a file once, however many patterns and links match it, and never includes itself', async () => {
    write({
      'gateway.yaml': 'include: ["*.yaml", a.yaml, "**/a.yaml"]\nproviders: { cloud: { use: vendor } }\n',
      'a.yaml': `models:\n${model('a')}`,
    });
    mkdirSync(join(folder, 'linked'));
    symlinkSync('../a.yaml', join(folder, 'linked/a.yaml'));
    const { config, files } = await load();
    expect(Object.keys(config.models)).to.deep.equal(['cloud/a']);
    expect(files).to.deep.equal(at('gateway.yaml', 'a.yaml'));
  });

  it('the hash changes with every setting of any file that is no secret, and the digest with secrets too', async () => {
    write({
      'gateway.yaml': 'include: [a.yaml]\nserver: { port: "${PORT}" }\n',
      'a.yaml': 'admin: { token: "${file:token}" }\n',
      token: 'one',
    });
    const { hash, digest } = await load();
    expect(hash).to.match(/^[0-9a-f]{16}$/);
    write({ 'a.yaml': '# The token.\nadmin:\n  token: "${file:token}"\n' });
    expect((await load()).hash).to.equal(hash);
    expect((await load({ ...environment, PORT: '9002' })).hash).not.to.equal(hash);
    write({ token: 'two' });
    const other = await load();
    expect([other.hash, other.digest === digest]).to.deep.equal([hash, false]);
    write({ 'a.yaml': 'admin: { token: "${file:token}", port: 1 }\n' });
    expect((await load()).hash).to.not.equal(hash);
  });

  it('the extensions of included files are part of the schema', async () => {
    write({ 'gateway.yaml': 'include: [a.yaml]\n', 'a.yaml': `plugins: [{ use: ${plugin} }]\n` });
    expect(JSON.stringify(await loadSchema(join(folder, 'gateway.yaml'), builtIns, {}))).to.include(
      JSON.stringify(plugin),
    );
  });
});
