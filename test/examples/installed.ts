import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { expect } from 'chai';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { root } from '../../tools/release/lockfile.ts';
import { installOnce, type Installation } from '../package/install.ts';
import { chat, messages, refusal, run, variables, VENDOR_KEY } from './clients.ts';
import { startOddVendor } from './odd-vendor.ts';
import { startOllama } from './ollama.ts';
import { configure, serve, type Served } from './serve.ts';

const examples = join(root, 'examples');
const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:9';

/**
 * Each example in a folder of its own, with the packed tarball. Not part of `npm test`: it needs a registry. Those that
 * `koine new` copies are built, packed and installed in test/package/new.ts.
 */
describe('the examples', function () {
  this.timeout(120_000);
  let installed: Installation;
  let koine: readonly string[];
  let top: string;
  let vendor: Served;
  const running: Served[] = [];

  before(async () => {
    installed = await installOnce();
    koine = [process.execPath, join(installed.folder, '../.bin/koine')];
    top = mkdtempSync(join(tmpdir(), 'koine-examples-'));
    const folder = join(top, 'vendor');
    mkdirSync(folder);
    cpSync(join(import.meta.dirname, 'vendor.yaml'), join(folder, 'gateway.yaml'));
    vendor = await serve(koine, folder, variables);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.stop()));
  });
  after(async () => {
    await vendor?.stop();
    if (top !== undefined) rmSync(top, { recursive: true, force: true });
  });

  let copies = 0;
  /** A copy of an example, without packages in it or above it. */
  const copy = (name: string): string => {
    const folder = join(top, `${name}-${(copies += 1)}`);
    cpSync(join(examples, name), folder, { recursive: true });
    return folder;
  };
  const start = async (
    folder: string,
    settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
  ): Promise<Served> => {
    configure(folder, settings);
    const gateway = await serve(koine, folder, variables);
    running.push(gateway);
    return gateway;
  };
  it('every example is tested here', () => {
    const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name)).to.have.members(tested);
  });
  const tested: string[] = [];
  const example = (name: string, title: string, test: () => Promise<void>): void => {
    if (!tested.includes(name)) tested.push(name);
    it(`${name}: ${title}`, test);
  };

  const expectPurpose = async ({ url }: Served): Promise<void> => {
    const { response } = await chat(url, 'KOINE_KEY', { 'x-purpose': 'support' })('simulator/chat');
    expect(response.headers.get('x-purpose')).to.equal('support');
    const { status, message } = await refusal(chat(url, 'KOINE_KEY')('simulator/chat'));
    expect([status, message]).to.deep.equal([400, '400 Set the header x-purpose to one of: support, research.']);
  };

  example('plugin', 'the source runs beside gateway.yaml with nothing installed', async () => {
    const gateway = await start(copy('plugin'));
    await expectPurpose(gateway);
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    expect(metrics).to.match(/^purpose_requests_total\{purpose="support"\} 1$/m);
  });

  /** Links the package, which was installed from its tarball. npm installs what else the example needs. */
  const installInto = (folder: string): string =>
    run('npm', ['install', ...quiet, '--no-save', installed.folder], folder);
  /** Type-checks, tests and builds an example with its own plain tsconfig, and packs it. @returns the tarball */
  const pack = (folder: string): string => {
    installInto(folder);
    run(process.execPath, ['--test'], folder);
    run('npm', ['run', 'build'], folder);
    const [packed] = JSON.parse(run('npm', ['pack', '--json'], folder)) as [{ readonly filename: string }];
    return join(folder, packed.filename);
  };
  /** A copy of the plugin's gateway.yaml in a folder where its package is installed. */
  const installPlugin = (tarball: string): string => {
    const folder = join(top, `team-${(copies += 1)}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    // npm would look for the gateway, a peer dependency, in the registry.
    run('npm', ['install', ...quiet, '--legacy-peer-deps', tarball], folder);
    const config = readFileSync(join(examples, 'plugin/gateway.yaml'), 'utf8');
    writeFileSync(join(folder, 'gateway.yaml'), config.replace('./index.ts', 'koine-plugin-purpose'));
    return folder;
  };

  example('plugin', 'its package type-checks, passes its tests, and is found beside gateway.yaml', async () =>
    expectPurpose(await start(installPlugin(pack(copy('plugin'))))),
  );

  example('team-models', 'clients of two wires get the model of their project, and a refusal', async () => {
    const { url } = await start(copy('team-models'));
    const ask = chat(url, 'KOINE_KEY');
    const { response } = await ask('team');
    expect(response.headers.get('x-koine-model')).to.equal('simulator/large');
    expect(response.headers.get('x-team')).to.equal('default');
    expect((await ask('simulator/chat')).response.headers.get('x-koine-model')).to.equal('simulator/chat');
    const client = new Anthropic({ baseURL: url, apiKey: variables['KOINE_KEY'], maxRetries: 0 });
    const question = [{ role: 'user' as const, content: 'What is Project X?' }];
    const { status, message } = await refusal(
      client.messages.create({ model: 'team', max_tokens: 9, messages: question }),
    );
    expect([status, message.includes('blocks prompts with')], message).to.deep.equal([403, true]);
  });

  example('seven-wishes', 'it type-checks and passes its tests with the packed package, and is served', async () => {
    const folder = copy('seven-wishes');
    installInto(folder);
    run('npm', ['run', 'check'], folder);
    expect(run('npm', ['test'], folder)).to.match(/pass 7\n/);
    const { url } = await start(copy('seven-wishes'));
    const { response } = await chat(url, 'KOINE_KEY', { 'x-team': 'search' })('team');
    expect(response.headers.get('x-koine-model')).to.equal('simulator/chat');
  });

  example('acme-provider', 'a client reaches the vendor with its key', async () => {
    const { url } = await start(copy('acme-provider'), { acme: { baseUrl: `${vendor.url}/v1` } });
    const { data, response } = await chat(url, 'KOINE_KEY')('acme/one');
    expect(data.choices[0]?.message.content).to.contain('Hello');
    expect(response.headers.get('x-koine-provider')).to.equal('acme');
  });

  example('ollama-provider', 'clients of two wires use the native API of Ollama', async () => {
    const { server, url: baseUrl } = await startOllama();
    try {
      const { url } = await start(copy('ollama-provider'), { 'ollama-example': { baseUrl } });
      const { data } = await chat(url, 'KOINE_KEY')('ollama-example/llama3.2');
      expect(data.choices[0]?.message.content).to.equal('Hello! How are you today?');
      expect(data.usage).to.include({ prompt_tokens: 26, completion_tokens: 298 });
      const client = new Anthropic({ baseURL: url, apiKey: variables['KOINE_KEY'], maxRetries: 0 });
      const tools = [{ name: 'get_weather', input_schema: { type: 'object' as const } }];
      const stream = client.messages.stream({ model: 'ollama-example/llama3.2', max_tokens: 99, messages, tools });
      const { content, stop_reason, usage } = await stream.finalMessage();
      expect(content.map((block) => (block.type === 'tool_use' ? block.input : block.type))).to.deep.equal([
        { city: 'Tokyo' },
      ]);
      expect([stop_reason, usage.input_tokens, usage.output_tokens]).to.deep.equal(['tool_use', 169, 15]);
    } finally {
      server.close();
    }
  });

  example('compatible-vendor', 'an alias reaches the vendor', async () => {
    const { url } = await start(copy('compatible-vendor'), { groq: { baseUrl: `${vendor.url}/v1` } });
    const { data, response } = await chat(url, 'KOINE_KEY')('fast');
    expect(data.choices[0]?.message.content).to.contain('Hello');
    expect(response.headers.get('x-koine-provider')).to.equal('groq');
  });

  example('odd-vendor', 'clients of two wires reach a vendor that differs from the wire', async () => {
    const { server, url: origin } = await startOddVendor(VENDOR_KEY);
    try {
      const { url } = await start(copy('odd-vendor'), { acme: { baseUrl: `${origin}/v2` } });
      const { data } = await chat(url, 'KOINE_KEY')('acme/one');
      expect(data.choices[0]?.message.content).to.equal('Hello from Acme.');
      const client = new Anthropic({ baseURL: url, apiKey: variables['KOINE_KEY'], maxRetries: 0 });
      const stream = client.messages.stream({ model: 'acme/one', max_tokens: 99, messages });
      const { usage } = await stream.finalMessage();
      expect([usage.input_tokens, usage.output_tokens]).to.deep.equal([4, 2]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  example('tenants', 'each key has its models', async () => {
    const { url } = await start(copy('tenants'), {
      openai: { baseUrl: `${vendor.url}/v1` },
      anthropic: { baseUrl: vendor.url },
    });
    for (const [key, model] of [
      ['GLOBEX_KEY', 'openai/gpt-4.1'],
      ['INITECH_KEY', 'openai/gpt-4.1-mini'],
      ['ALICE_KEY', 'anthropic/claude-sonnet-4-6'],
    ] as const)
      expect((await chat(url, key)(model)).response.status, key).to.equal(200);
    for (const [key, model] of [
      ['GLOBEX_KEY', 'anthropic/claude-sonnet-4-6'],
      ['INITECH_KEY', 'openai/gpt-4.1'],
    ] as const)
      expect((await refusal(chat(url, key)(model))).status, key).to.be.oneOf([403, 404]);
  });

  example('failover', 'the next vendor answers while the first is away', async () => {
    const there = {
      anthropic: { baseUrl: vendor.url },
      openai: { baseUrl: `${vendor.url}/v1` },
      google: { baseUrl: vendor.url },
    };
    const away = { baseUrl: AWAY };
    for (const [settings, provider] of [
      [there, 'anthropic'],
      [{ ...there, anthropic: away }, 'openai'],
      [{ ...there, anthropic: away, openai: away }, 'google'],
    ] as const) {
      const { url } = await start(copy('failover'), settings);
      const { data, response } = await chat(url, 'KOINE_KEY')('acme/assistant');
      expect(response.headers.get('x-koine-provider')).to.equal(provider);
      expect(data.choices[0]?.message.content).to.contain('Hello');
    }
  });

  example('local-and-cloud', 'the cloud helps out, except for private requests', async () => {
    const cloud = { baseUrl: `${vendor.url}/v1` };
    const { url } = await start(copy('local-and-cloud'), { local: { baseUrl: AWAY }, openai: cloud });
    const { response } = await chat(url, 'KOINE_KEY')('acme/chat');
    expect(response.headers.get('x-koine-provider')).to.equal('openai');
    expect((await refusal(chat(url, 'HR_KEY')('acme/private'))).status).to.equal(502);
    expect((await refusal(chat(url, 'HR_KEY')('acme/chat'))).status).to.be.oneOf([403, 404]);
    const local = await start(copy('local-and-cloud'), { local: { ...cloud, apiKey: VENDOR_KEY } });
    expect((await chat(local.url, 'HR_KEY')('acme/private')).response.headers.get('x-koine-provider')).to.equal(
      'local',
    );
  });

  example('agents', 'the names that agents send are served on their wires', async () => {
    const { url } = await start(copy('agents'), {
      anthropic: { baseUrl: vendor.url },
      openai: { baseUrl: `${vendor.url}/v1` },
      google: { baseUrl: vendor.url },
    });
    const apiKey = variables['KOINE_KEY'] ?? '';
    const claude = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
    const message = await claude.messages.create({ model: 'claude-haiku-4-5-20251001', max_tokens: 50, messages });
    expect(message.content[0]).to.include({ type: 'text' });
    const codex = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
    expect((await codex.responses.create({ model: 'gpt-5.1-codex', input: 'Hello' })).output_text).to.contain('Hello');
    const gemini = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
    const { text } = await gemini.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Hello' });
    expect(text).to.contain('Hello');
  });
});
