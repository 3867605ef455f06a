import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { importConfig } from '../../../core/cli/import/index.ts';
import litellm from '../../../importers/litellm/index.ts';
import { builtIns } from './all-built-ins.ts';
import { runHere } from './run-here.ts';
import { runKoine } from './run-koine.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/litellm/', import.meta.url));

describe('koine import', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const from = (name: string): string => join(fixtures, `${name}.yaml`);

  it('prints the imported configuration to stdout and the notes to stderr', async () => {
    const { code, out, err } = await runKoine(['import', 'litellm', from('quick-start')], { cwd: folder });
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^# yaml-language-server: \$schema=/)
      .and.include('anthropic/claude:');
    expect(err)
      .to.include('quick-start.yaml:17 general_settings.master_key: ')
      .and.match(/Before it can be served, set LITELLM_MASTER_KEY\.\n$/);
  });

  it('writes a file that passes koine check, and the schema beside it', async () => {
    const { code, out, err } = await runHere(['import', 'litellm', from('production'), '--out', 'gateway.yaml'], {
      cwd: folder,
      env: { REDIS_HOST: 'redis' },
    });
    expect({ code, out }).to.deep.equal({ code: 0, out: '' });
    expect(err).to.include('Wrote gateway.yaml. ').and.include('set LITELLM_MASTER_KEY.');
    expect(existsSync(join(folder, 'gateway.schema.json'))).to.equal(true);
    const checked = await runHere(['check'], { cwd: folder, env: { LITELLM_MASTER_KEY: 'sk-1', REDIS_HOST: 'redis' } });
    expect(checked.out).to.match(/gateway\.yaml is valid: 5 providers, 4 models, 5 aliases, 1 key,/);
    expect((await runHere(['check'], { cwd: folder })).out).to.include('unset-variable');
  });

  it('ends with 1 where a key would be allowed more than before, and imports it as disabled', async () => {
    const file = fileURLToPath(new URL('../../fixtures/bifrost/pinned-keys.json', import.meta.url));
    const { code, out, err } = await runHere(['import', 'bifrost', file], { cwd: folder });
    expect(code).to.equal(1);
    expect(err).to.match(/virtual_keys\[0\]\.provider_configs\[0\]: error: It is pinned to some keys/);
    expect(err)
      .to.match(/virtual_keys\[1\]\.provider_configs\[0\]: error: /)
      .and.not.match(/virtual_keys\[[23]\].*error/);
    expect(out.match(/disabled: true/g)).to.have.length(2);
  });

  it('reports a model that is only a vendor', async () => {
    writeFileSync(
      join(folder, 'config.yaml'),
      'model_list:\n  - model_name: gpt\n    litellm_params: { model: azure/, api_base: https://a.openai.azure.com }\n',
    );
    const { out, err } = await runHere(['import', 'litellm', 'config.yaml'], { cwd: folder });
    expect(err).to.include('"azure/" names no model. Write it as azure/<model>.');
    expect(out).to.not.include('model: ""');
  });

  for (const [gateway, source] of [
    ['litellm', { model_list: [{ model_name: 'anthropic/*', litellm_params: { model: 'anthropic/*' } }] }],
    ['bifrost', { providers: { anthropic: { keys: [{ name: 'a', value: 'env.ANTHROPIC_API_KEY', models: ['*'] }] } } }],
  ] as const)
    it(`a wildcard of ${gateway} is one wildcard of Koine, which serves any name`, async () => {
      writeFileSync(join(folder, 'config.json'), JSON.stringify(source));
      const { code } = await runHere(['import', gateway, 'config.json', '--out', 'gateway.yaml'], { cwd: folder });
      expect(code).to.equal(0);
      const { models } = parse(readFileSync(join(folder, 'gateway.yaml'), 'utf8')) as { readonly models: object };
      expect(models).to.deep.equal({ 'anthropic/*': { targets: [{ provider: 'anthropic', model: '*' }] } });
      const { out } = await runHere(['import', gateway, 'config.json', '--verify'], { cwd: folder });
      expect(out).to.match(/^equal +anthropic\/any-model /m);
    });

  it('an imported configuration has the plugins of koine init, in the same order', async () => {
    const pluginsOf = (text: string): readonly string[] =>
      [...text.matchAll(/- use: ([a-z-]+)$/gm)].map(([, name]) => name!);
    const imported = await runHere(['import', 'litellm', from('quick-start')], { cwd: folder });
    await runHere(['init'], { cwd: folder });
    const written = pluginsOf(readFileSync(join(folder, 'gateway.yaml'), 'utf8'));
    expect(written).to.include.members(['cache-accounting', 'dashboard']);
    expect(pluginsOf(imported.out)).to.deep.equal(written);
  });

  it('koine import overwrites a file only with --force', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), 'mine\n');
    const { code, err } = await runHere(['import', 'litellm', from('empty'), '--out', 'gateway.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include('gateway.yaml exists and is left as it is.');
    expect(
      (await runHere(['import', 'litellm', from('empty'), '--out', 'gateway.yaml', '--force'], { cwd: folder })).code,
    ).to.equal(0);
  });

  it('koine import reports the position of invalid YAML without quoting the file', async () => {
    writeFileSync(join(folder, 'config.yaml'), 'model_list:\n  - api_key: sk-secret: [\n');
    const { code, err } = await runHere(['import', 'litellm', 'config.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err)
      .to.match(/^config\.yaml:\d+:\d+ /)
      .and.not.include('sk-secret');
  });

  for (const [what, args, message] of [
    ['without the name of a gateway', [], 'The kind of the configuration is missing: litellm.'],
    ['from an unknown gateway', ['helicone', 'x.json'], 'There is no import of "helicone": litellm.'],
    ['without a file', ['litellm'], 'The file is missing: koine import litellm FILE'],
    ['a file that does not exist', ['litellm', 'none.yaml'], 'none.yaml cannot be read: there is no such file.'],
    ['with an unknown option', ['litellm', 'x.yaml', '--to', 'y'], "Unknown option '--to'"],
  ] as const)
    it(`refuses to import ${what}`, async () => {
      const refusal = await importConfig(args, {
        ...builtIns,
        importers: { litellm: () => Promise.resolve(litellm) },
      }).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error).with.property('message').that.includes(message);
    });

  it('refuses a file that is too large to be a configuration, before it is read', async () => {
    writeFileSync(join(folder, 'large.yaml'), `a: ${'x'.repeat(4_000_001)}`);
    const { code, err } = await runHere(['import', 'litellm', 'large.yaml'], { cwd: folder });
    expect([code, err.split('\n')[0]]).to.deep.equal([2, 'large.yaml has 5 MB, and a configuration at most 4 MB.']);
  });

  it('refuses a list as a configuration', async () => {
    writeFileSync(join(folder, 'list.yaml'), '- a\n');
    const { code, err } = await runHere(['import', 'litellm', 'list.yaml'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include('list.yaml has no settings.');
  });
});
