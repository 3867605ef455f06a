import { expect } from 'chai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { root } from '../../release/lockfile.ts';
import { until } from '../support/until.ts';
import { install, type Installation } from './install.ts';

const KEY = 'a-key-of-the-installed-gateway-4711';
/** The only paths that a tarball may contain. */
const ALLOWED = [
  /^(?:LICENSE|README\.md|gateway\.schema\.json|gateway\.yaml|package\.json)$/,
  /^dist\/(?:bin|core|importers|plugins|providers)\/.+\.(?:cjs|d\.ts|js|js\.map)$/,
  /^dist\/plugins\/dashboard\/page\/[\w-]+\.(?:css|html)$/,
];

/** Modules that are loaded on demand: by a setting, a request or a command. */
const ON_DEMAND =
  /^(?:compiler of ajv|fetch of Node|got|ioredis|nock|pg|prom-client|rate-limiter-flexible|@opentelemetry\/.*)$/;

/** Problems in the gateway's own settings, and in those of providers and plugins. */
const FAULTY = `
server: { port: eighty, workers: 0, timeouts: { connect: 5 parsecs }, colour: red }
store: { database: 7, redis: http://localhost }
stream: { heartbeat: -1 }
providers:
  simulator: { use: simulator, config: { latency: soon, words: 5 } }
  openai: { use: openai, config: { apiKey: 5, baseUrl: nowhere, organisation: acme } }
  other: { use: openai-compatible }
  none: { use: openia }
models: { simulator/chat: { targets: [], price: { input: cheap } }, nothing: {} }
limits: [{ requests: many, per: 1m }, { tokens: 5 }]
plugins:
  - { use: auth, config: { failures: { limit: 0, per: 1m, block: never } } }
  - { use: ledger, config: { durability: sometimes, retention: [] } }
  - { use: failover, config: { attempts: 99999, backOff: true } }
  - { use: metrics, config: { port: 5 } }
  - { use: rate-limit, config: { onStoreFailure: panic } }
  - { use: traces, config: { sampling: 7 } }
`;

/** From `npm pack` to a response, in a process of its own. Not part of `npm test`: it needs a registry. */
describe('the installed package', function () {
  this.timeout(120_000);
  let installed: Installation;
  let gateway: ChildProcess;
  let stderr = '';
  let url = '';
  let adminUrl = '';
  const koine = (...args: readonly string[]): readonly string[] => [join(installed.folder, '../.bin/koine'), ...args];

  before(async () => {
    installed = install();
    process.stdout.write(`    ${installed.summary}\n`);
    gateway = spawn(process.execPath, koine('serve'), {
      cwd: installed.config,
      env: { PATH: process.env['PATH'], CLIENT_KEY: KEY },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    gateway.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await until('it serves, or ends', () => stderr.includes('koine serves') || gateway.exitCode !== null);
    const addresses = /on (http:\S+) \(admin (http:[^)\s]+)\)/.exec(stderr);
    if (addresses === null) throw new Error(`it does not serve: ${stderr}`);
    [, url = '', adminUrl = ''] = addresses;
  });

  after(async () => {
    if (gateway.exitCode === null) {
      const exit = once(gateway, 'exit');
      gateway.kill('SIGTERM');
      await exit;
    }
    installed.remove();
  });

  it('the installed package contains built files only: no sources, tests, benches or fixtures', () => {
    expect(installed.files.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).to.deep.equal([]);
    expect(installed.files.filter((path) => /(?:\.test\.|(?:^|\/)(?:test|bench|fixtures)\/)/.test(path))).to.deep.equal(
      [],
    );
  });

  it('serves the OpenAI SDK with the simulator, through an extension that imports the package', async () => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 });
    const { data, response } = await client.chat.completions
      .create({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] })
      .withResponse();
    expect(data.choices[0]?.message.content).to.be.a('string').and.not.equal('');
    expect(response.headers.get('x-greeting')).to.equal('hello');
    expect(response.headers.get('x-testing')).to.equal('function');
  });

  it('serves the page of the dashboard and the scripts of the packages that it uses', async () => {
    for (const path of ['/dashboard/app.js', '/dashboard/style.css', '/dashboard/preact.mjs', '/dashboard/uplot.mjs'])
      expect((await fetch(adminUrl + path)).status, path).to.equal(200);
  });

  it('loads no compiler of TypeScript for a configuration of built-ins', () => {
    const file = join(installed.config, 'built-ins.yaml');
    writeFileSync(file, 'providers: { simulator: { use: simulator } }\n');
    const words = ['--no-strip-types', ...koine('check', '--config', file)];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('the package loads only what the shipped configuration uses', async () => {
    const file = join(installed.folder, 'gateway.yaml');
    const probe = join(import.meta.dirname, 'list-loaded.ts');
    const words = ['--import', probe, ...koine('serve', '--config', file, '--port', '0', '--admin-port', '0')];
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('it serves, or ends', () => text.includes('koine serves') || child.exitCode !== null);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    const [, json = '[]'] = /^loaded: (.*)$/m.exec(text) ?? [];
    const loaded = JSON.parse(json) as readonly string[];
    expect(loaded, text).to.include.members(['koine-gateway', 'koa', 'undici', 'kysely', 'yaml', 'pino']);
    expect(loaded.filter((name) => ON_DEMAND.test(name))).to.deep.equal([]);
  });

  it('reports the same problems of a configuration as the sources, with its compiled schema', () => {
    const file = join(installed.config, 'faulty.yaml');
    writeFileSync(file, FAULTY);
    const check = (words: readonly string[]) => spawnSync(process.execPath, words, { encoding: 'utf8' });
    const { status, stdout, stderr } = check(koine('check', '--config', file));
    const ofSources = check([join(root, 'bin/koine.js'), 'check', '--config', file]);
    expect({ status, stdout, stderr }).to.include({ status: 1, stdout: ofSources.stdout, stderr: ofSources.stderr });
    expect(stdout.match(/error/g)?.length, stdout).to.be.above(12);
  });

  it('the installed package has types for both of its entries', () => {
    const folder = join(installed.folder, '../..');
    mkdirSync(join(folder, 'typed'));
    copyFileSync(join(installed.config, 'greeting.ts'), join(folder, 'typed/greeting.ts'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'esnext',
      strict: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'typed/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['greeting.ts'] }));
    const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(folder, 'typed')];
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
  });

  it('prints instructions on an older Node, without mentioning a checkout', () => {
    const disguise = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;
    const words = ['--import', disguise, ...koine('version')];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(status).to.equal(2);
    expect(stderr).to.contain('koine needs Node 24 or newer and was started on Node 20.20.2.');
    expect(stderr).to.contain('Install Node 24').and.not.contain('npm');
  });

  it('caches compiled code beside the packages, not in its own folder', () => {
    expect(existsSync(join(installed.folder, '../.cache/koine-gateway'))).to.equal(true);
    expect(existsSync(join(installed.folder, 'node_modules/.cache'))).to.equal(false);
  });
});
