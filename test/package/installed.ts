import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { loadRecordings } from '../../core/testing/index.ts';
import { root } from '../../tools/release/lockfile.ts';
import { requirePostgres, startPostgres } from '../support/servers/postgres.ts';
import { requireRedis, startRedis } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { testCommands, testNpx } from './commands.ts';
import { installOnce, run, type Installation } from './install.ts';
import { testNew, testTutorials } from './new.ts';
import { testInstalls, testQuickstart } from './quickstart.ts';
import { askEachSdk } from './sdks.ts';
import { serve, type Served } from './serve.ts';
import { testTypes } from './types.ts';

const KEY = 'a-key-of-the-installed-gateway-4711';
/** The only paths that a tarball may contain. */
const ALLOWED = [
  /^(?:LICENSE|README\.md|gateway\.schema\.json|gateway\.yaml|package\.json|CHANGELOG\.md|llms\.txt)$/,
  /^dist\/(?:bin|core|importers|plugins|providers)\/.+\.(?:cjs|d\.ts|js)$/,
  /^dist\/plugins\/dashboard\/page\/(?:styles\/)?[\w-]+\.(?:css|html)$/,
  // The price lists.
  /^dist\/providers\/[\w/-]*prices(?:\/[\w-]+)?\.json$/,
  // The templates of `koine new`.
  /^examples\/(?:team-models|acme-provider|ollama-provider)\/(?:recordings\/)?[\w.-]+\.(?:ts|json|md|yaml)$/,
];

/** Modules that are loaded on demand: by a setting, a request or a command. */
const ON_DEMAND =
  /^(?:compiler of ajv|fetch of Node|got|ioredis|jose|oauth4webapi|openid-client|pg|hyparquet|hyparquet-writer|@clickhouse\/client|@platformatic\/kafka|prom-client|rate-limiter-flexible|yaml|@opentelemetry\/.*)$/;

/**
 * The oldest Node runs everything that loads and serves the package. What npm, the compiler and the templates do is the
 * same on each Node.
 */
const isOldestNode = process.versions.node.startsWith('22.');

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
  this.timeout(240_000);
  let installed: Installation;
  let gateway: Served;
  const koine = (...args: readonly string[]): readonly string[] => [join(installed.folder, '../.bin/koine'), ...args];

  before(async () => {
    installed = await installOnce();
    process.stdout.write(`    ${installed.summary} Node ${process.versions.node}.\n`);
    gateway = await serve(koine('serve'), installed.config, { CLIENT_KEY: KEY });
  });

  after(() => gateway?.stop());

  it('the installed package contains built files and templates only: no sources, tests, benches or fixtures', () => {
    expect(installed.files.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).to.deep.equal([]);
    const built = installed.files.filter((path) => !path.startsWith('examples/'));
    expect(built.filter((path) => /(?:\.test\.|(?:^|\/)(?:test|bench|fixtures)\/)/.test(path))).to.deep.equal([]);
  });

  it('a tarball has at most 1.6 MB', () => {
    expect(statSync(installed.tarball).size).to.be.below(1_600_000);
  });

  it('serves an extension that imports the package, to the OpenAI SDK', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
    const { response } = await client.chat.completions
      .create({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] })
      .withResponse();
    expect(response.headers.get('x-greeting')).to.equal('hello');
    expect(response.headers.get('x-testing')).to.equal('function');
  });

  it('serves each SDK, plain and streamed', async () => {
    for (const [method, [plain, streamed]] of Object.entries(await askEachSdk(gateway.url, KEY)))
      expect(plain, method).to.have.length.above(10).and.equal(streamed);
  });

  it('serves with Postgres and Redis as its stores', async function () {
    requirePostgres(this);
    requireRedis(this);
    const [postgres, redis] = [await startPostgres(), await startRedis()];
    const file = join(installed.config, 'servers.yaml');
    const store = `store: { database: "${postgres.url}", redis: "${redis.url}" }`;
    const settings = readFileSync(join(installed.config, 'gateway.yaml'), 'utf8').replace(/^store: .*$/m, store);
    writeFileSync(file, settings);
    const other = await serve(koine('serve', '--config', file), installed.config, { CLIENT_KEY: KEY });
    try {
      const client = new OpenAI({ baseURL: `${other.url}/v1`, apiKey: KEY, maxRetries: 0 });
      const { choices } = await client.chat.completions.create({
        model: 'simulator/chat',
        messages: [{ role: 'user', content: 'Hello' }],
      });
      expect(choices[0]?.message.content).to.be.a('string').and.not.equal('');
      await until('the row in Postgres', async () => {
        const usage = await fetch(`${other.adminUrl}/admin/usage`);
        return usage.status === 200 && /"exchanges": ?1\b/.test(await usage.text());
      });
    } finally {
      await other.stop();
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  });

  it('the installed package records a server', () => {
    const [out, file] = [join(installed.config, 'recordings'), join(installed.config, 'record.yaml')];
    const config = { apiKey: KEY, baseUrl: `${gateway.url}/v1` };
    writeFileSync(file, JSON.stringify({ providers: { server: { use: 'openai-compatible', config } }, models: {} }));
    const [program = '', ...args] = koine('record', '--config', file, '--provider', 'server', '--out', out);
    run(program, [...args, '--model', 'simulator/chat', '--cases', 'text'], installed.home);
    expect(loadRecordings(out).map(({ wire, response }) => [wire, response?.status])).to.deep.equal([
      ['chat-completions', 200],
      ['chat-completions', 200],
    ]);
  });

  it('the installed package loads an edited extension again, and names the line that it cannot run', async () => {
    const file = join(installed.config, 'greeting.ts');
    const text = readFileSync(file, 'utf8');
    const greet = async (): Promise<string | null> => {
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await answer.text();
      return answer.headers.get('x-greeting');
    };
    writeFileSync(file, text.replace("'x-greeting': word", "'x-greeting': `${word} again`"));
    await until('the new code serves', async () => (await greet()) === 'hello again');
    writeFileSync(file, `${text}enum Colour { Red }\n`);
    const { status, stdout } = spawnSync(process.execPath, koine('check'), {
      cwd: installed.config,
      env: { PATH: process.env['PATH'], CLIENT_KEY: KEY },
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stdout).to.match(/KOINE_EXTENSION_TYPESCRIPT .*greeting\.ts:\d+: TypeScript enum/);
    expect(await greet()).to.equal('hello again');
    writeFileSync(file, text);
    await until('the first code serves again', async () => (await greet()) === 'hello');
  });

  it('serves the page of the dashboard and the scripts of the packages that it uses', async () => {
    for (const path of [
      '/dashboard/app.js',
      '/dashboard/styles/base.css',
      '/dashboard/preact.mjs',
      '/dashboard/uplot.mjs',
    ])
      expect((await fetch(gateway.adminUrl + path)).status, path).to.equal(200);
  });

  it('loads no compiler of TypeScript for a configuration of built-ins', () => {
    const file = join(installed.config, 'built-ins.yaml');
    writeFileSync(file, 'providers: { simulator: { use: simulator } }\n');
    const words = ['--no-experimental-strip-types', ...koine('check', '--config', file)];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  /** Serves the shipped configuration until its output has the text. @returns what it has written to standard error */
  const serveUntil = async (
    mark: string,
    signal: NodeJS.Signals,
    { words = [], env = {} }: { readonly words?: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  ): Promise<string> => {
    const file = join(installed.folder, 'gateway.yaml');
    const serve = koine('serve', '--config', file, '--port', '0', '--admin-port', '0');
    const child = spawn(process.execPath, [...words, ...serve], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(`it writes ${mark}, or ends`, () => text.includes(mark) || child.exitCode !== null);
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return text;
  };

  it('a start reads the code that an earlier one has compiled, which was killed', async () => {
    const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    await serveUntil('flushCompileCache() finished', 'SIGKILL', { env });
    const text = await serveUntil('flushCompileCache() finished', 'SIGKILL', { env });
    expect(text.match(/was accepted/g)?.length ?? 0).to.be.above(100);
  });

  it('the package loads only what the shipped configuration uses', async () => {
    const words = ['--import', join(import.meta.dirname, 'list-loaded.ts')];
    const text = await serveUntil('koine serves', 'SIGTERM', { words });
    const [, json = '[]'] = /^loaded: (.*)$/m.exec(text) ?? [];
    const loaded = JSON.parse(json) as readonly string[];
    expect(loaded, text).to.include.members(['koine-gateway', 'koa', 'undici', 'pino']);
    // Node 22 loads its fetch by itself.
    const allowed = isOldestNode ? 'fetch of Node' : '';
    expect(loaded.filter((name) => ON_DEMAND.test(name) && name !== allowed)).to.deep.equal([]);
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

  testQuickstart(() => installed);
  testNew(
    () => installed,
    (kind) => kind === 'plugin' || !isOldestNode,
  );
  testCommands(() => installed);
  if (isOldestNode) return;
  testTypes(() => installed);
  testInstalls(() => installed);
  testTutorials(() => installed);
  testNpx(() => installed);
});
