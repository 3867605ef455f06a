import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { writeFirstConfig } from '../../../../core/cli/init/write-first-config.ts';
import { builtIns } from '../all-built-ins.ts';
import { runHere } from '../run-here.ts';
import { runKoine } from '../run-koine.ts';
import { serveOnce } from '../serve-once.ts';

const keys = {
  OPENAI_API_KEY: 'sk-very-secret-1',
  ANTHROPIC_API_KEY: 'sk-ant-very-secret',
  GOOGLE_API_KEY: 'AIza-very-secret',
};

describe('koine init', () => {
  let folder = '';
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes the providers whose keys are set, without the keys', async () => {
    const { code, out, err } = await runKoine(['init'], { cwd: folder, env: keys });
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const text = read('gateway.yaml');
    for (const variable of Object.keys(keys)) expect(text).to.include(`config: { apiKey: "\${${variable}:-}" }`);
    expect(text + out).not.to.match(/very-secret/);
  });

  it('includes the simulator with and without keys of vendors, first, so that the example works', async () => {
    for (const env of [keys, {}]) {
      const { out } = await runHere(['init', '--force'], { cwd: folder, env });
      expect(read('gateway.yaml'))
        .to.include('To remove it, delete it here and its models below.\n  simulator:\n    use: simulator\n')
        .and.match(/^models:\n {2}simulator\/chat:$/m);
      expect(out).to.include('"model":"simulator/chat"');
    }
  });

  it('lets clients use what is stored at providers, while there is one organization', async () => {
    const text = writeFirstConfig({ starters: [] }, builtIns);
    expect(parse(text)).to.include({ vendorState: 'allow' });
    await runHere(['init'], { cwd: folder, env: {} });
    const organizations = 'organizations: { acme: { projects: { web: {} } }, globex: { projects: { web: {} } } }';
    writeFileSync(join(folder, 'gateway.yaml'), `${read('gateway.yaml')}\n${organizations}\n`);
    const { code, out } = await runHere(['check'], { cwd: folder, env: {} });
    expect(code).to.equal(1);
    expect(out).to.include('shared-vendor-state');
  });

  it('limits the requests, the tokens and the open requests of each key', () => {
    const { limits } = parse(writeFirstConfig({ starters: [] }, builtIns)) as { readonly limits: readonly object[] };
    expect(limits.flatMap((limit) => Object.keys(limit))).to.include.members(['requests', 'tokens', 'concurrent']);
  });

  it('says which providers and models were written, and where their keys are', async () => {
    const { out } = await runHere(['init'], { cwd: folder, env: keys });
    expect(out)
      .to.match(
        /^Wrote gateway\.yaml, with these providers and models:\n {2}simulator \(needs no key\): simulator\/chat\n/,
      )
      .and.match(/^ {2}google \(its key is in GOOGLE_API_KEY\): google\/gemini-\S+ google\/.* and \d+ more$/m);
  });

  it('writes a file that passes koine check without warnings, with or without the keys', async () => {
    await runHere(['init'], { cwd: folder, env: keys });
    for (const env of [keys, {}]) {
      const { code, out } = await runHere(['check'], { cwd: folder, env });
      expect(code).to.equal(0);
      expect(out).to.match(
        /^gateway\.yaml is valid: 4 providers, \d+ models, \d+ aliases, 0 keys, 44 routes, 7 plugins\.\n$/,
      );
    }
  });

  it('writes the presets whose keys are set, and one alias for a model that two of them have', async () => {
    const env = { GROQ_API_KEY: 'gsk-very-secret', TOGETHER_API_KEY: 'tk-very-secret' };
    const { out } = await runHere(['init'], { cwd: folder, env });
    const text = read('gateway.yaml');
    expect(text).to.include('use: groq').and.include('use: together');
    expect(text.match(/^ {2}openai\/gpt-oss-120b: /gm)).to.have.length(1);
    expect(text).to.include('  openai/gpt-oss-120b: groq/openai/gpt-oss-120b\n');
    expect(text + out).not.to.match(/very-secret/);
    expect((await runHere(['check'], { cwd: folder, env })).code).to.equal(0);
  });

  it('leaves out providers without a key', async () => {
    await runHere(['init'], { cwd: folder, env: { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: '' } });
    expect(read('gateway.yaml'))
      .to.match(/^ {2}anthropic:$/m)
      .and.not.match(/^ {2}(?:openai|google):$/m);
  });

  it('writes models with a target at each vendor, if there are keys of two', async () => {
    const one = { ANTHROPIC_API_KEY: 'x' };
    await runHere(['init'], { cwd: folder, env: one });
    expect(read('gateway.yaml')).not.to.include('any/');
    await runHere(['init', '--force'], { cwd: folder, env: { ...one, OPENAI_API_KEY: 'y' } });
    const { models, aliases } = parse(read('gateway.yaml')) as {
      models: Record<string, { targets: object[]; wires?: string[] }>;
      aliases: Record<string, string>;
    };
    expect(models['any/strong']).to.deep.equal({
      targets: [
        { provider: 'anthropic', model: 'claude-sonnet-5-5' },
        { provider: 'openai', model: 'gpt-6.1-sol' },
      ],
      wires: ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'],
    });
    expect(aliases).to.include({ 'strong': 'any/strong', 'fast': 'any/fast', 'gpt-4.1': 'openai/gpt-4.1' });
    const { code, out } = await runHere(['check'], { cwd: folder, env: one });
    expect([code, out]).to.deep.equal([0, out.slice(out.lastIndexOf('gateway.yaml is valid'))]);
  });

  it('a model that two vendors have under different names becomes one model with its common name', () => {
    const starters = [
      { name: 'maker', variable: 'A', models: [{ name: 'big-1', role: 'strong' as const }, { name: 'small-1' }] },
      { name: 'cloud', variable: 'B', models: [{ name: 'eu.maker.big-1-v1:0', as: 'big-1' }] },
      { name: 'local', models: [{ name: 'big-1' }] },
    ];
    const written = parse(writeFirstConfig({ starters }, builtIns)) as { models: object; aliases: object };
    expect(written.models)
      .to.have.property('any/big-1')
      .that.deep.equals({
        targets: [
          { provider: 'maker', model: 'big-1' },
          { provider: 'cloud', model: 'eu.maker.big-1-v1:0' },
        ],
      });
    expect(written.models).not.to.have.any.keys('any/small-1', 'any/strong');
    expect(written.aliases).to.deep.equal({
      'big-1': 'any/big-1',
      'small-1': 'maker/small-1',
      'eu.maker.big-1-v1:0': 'cloud/eu.maker.big-1-v1:0',
    });
  });

  it('writes the schema of the built-ins beside the file, and names it for editors', async () => {
    await runHere(['init'], { cwd: folder });
    expect(read('gateway.yaml').split('\n')[0]).to.equal('# yaml-language-server: $schema=./gateway.schema.json');
    expect(read('gateway.schema.json')).to.equal((await runHere(['schema'], { cwd: folder })).out);
  });

  it('prints the next commands in the way koine was started', async () => {
    const { out } = await runHere(['init', '--config', './my.yaml'], {
      cwd: folder,
      env: { npm_lifecycle_event: 'koine' },
    });
    expect(out)
      .to.include('npm run koine -- check --config ./my.yaml ')
      .and.include('npm run koine -- serve --config ./my.yaml ')
      .and.include('"model":"simulator/chat"');
    const { out: byNpx } = await runHere(['init', '--config', './other.yaml'], {
      cwd: folder,
      env: { npm_lifecycle_event: 'npx' },
    });
    expect(byNpx).to.include('npx koine-gateway check --config ./other.yaml ').and.include('npx koine-gateway serve ');
  });

  it('koine init overwrites a file only with --force', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), 'mine\n');
    writeFileSync(join(folder, 'gateway.schema.json'), '{}');
    const { code, err } = await runHere(['init'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.include('gateway.yaml exists and is left as it is. --force overwrites it');
    expect(read('gateway.yaml')).to.equal('mine\n');
    expect((await runHere(['init', '--config', 'other.yaml'], { cwd: folder })).code).to.equal(0);
    expect(read('gateway.schema.json')).to.equal('{}');
    expect((await runHere(['init', '--force'], { cwd: folder })).code).to.equal(0);
    expect(read('gateway.yaml')).to.match(/^# yaml-language-server/);
    expect(read('gateway.schema.json')).to.have.length.greaterThan(1000);
  });

  it('koine init exits with 2 if the file cannot be written', async () => {
    mkdirSync(join(folder, 'taken'));
    expect((await runHere(['init', '--config', 'none/gateway.yaml'], { cwd: folder })).err).to.include(
      'none/gateway.yaml cannot be written: its folder does not exist. Create it first.',
    );
    const { code } = await runHere(['init', '--force', '--config', 'taken'], { cwd: folder });
    expect(code).to.equal(2);
    expect(existsSync(join(folder, 'gateway.schema.json'))).to.equal(false);
  });

  it('writes a configuration that serves at once with the key that the first start prints', async () => {
    await runHere(['init'], { cwd: folder });
    const { text, answer } = await serveOnce({ cwd: folder });
    expect(text).to.not.include('Wrote');
    expect(JSON.parse(answer)).to.have.nested.property('choices[0].message.content').that.is.a('string');
  });
});
