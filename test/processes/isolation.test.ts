import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { createAsk } from '../reload/generations.ts';
import { openStream, runKoine, startKoine, type KoineProcess } from './koine-process.ts';

const unruly = fileURLToPath(new URL('../fixtures/extensions/unruly/index.ts', import.meta.url));
const settingsOf = (config: object = {}) => ({
  server: { workers: 2 },
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: unruly, config }],
});

/** What a client makes a worker do, the reason that is reported, and where the cause stands. */
const ends = [
  [
    'throw',
    'error',
    /koine crashed on an uncaught error \(uncaughtException\): Error: an error without a handler\n.*unruly/,
  ],
  [
    'exit',
    'exit',
    /an extension called process\.exit: this ends its worker.*unruly|unruly.*an extension called process/,
  ],
  ['loop', 'stalled', /a worker exited and is replaced/],
] as const;

describe('a worker thread that ends', function () {
  this.timeout(120_000);
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine(settingsOf());
  });
  after(() => koine?.end());
  const written = (): string =>
    koine.stderr() +
    koine
      .lines()
      .map((line) => JSON.stringify(line))
      .join('\n');

  for (const [deed, reason, cause] of ends)
    it(`ends alone and is replaced when an extension does this: ${deed}`, async () => {
      const known = koine.workers().length;
      const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(koine.url, 'pace=60 words=80')));
      const victim = createAsk(koine);
      const { headers } = await victim.ask();
      const its = streams.filter((stream) => stream.headers['x-worker'] === headers['x-worker']);
      expect(its.length).to.be.within(1, 19);
      const outcome = await victim.ask({ user: deed }).then(
        ({ status }) => status,
        ({ code }: Error & { code: string }) => code,
      );
      victim.end();
      expect(outcome).to.equal(deed === 'throw' ? outcome : 'ECONNRESET');
      for (const stream of streams)
        expect((await stream.ended)?.endsWith('data: [DONE]\n\n'), stream.headers['x-worker'] as string).to.equal(
          its.includes(stream) ? undefined : true,
        );
      await until('a successor', () => koine.workers().length === known + 1);
      const line = koine.lines().findLast(({ message }) => message === 'a worker exited and is replaced');
      expect(line).to.include({ worker: Number(headers['x-worker']), reason });
      expect(written()).to.match(cause);
      const { workers } = readJson<{ workers: { lastExit?: { reason: string } }[] }>(
        await send(koine.adminUrl, { method: 'GET', path: '/admin/workers', headers: {} }),
      );
      expect(workers.map(({ lastExit }) => lastExit?.reason)).to.include(reason);
      const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
      expect(text).to.match(new RegExp(`^koine_worker_restarts_total\\{reason="${reason}"\\} 1$`, 'm'));
    });
});

describe('an extension in a worker thread', function () {
  this.timeout(120_000);
  const folder = createTemporaryFolder();
  after(folder.remove);

  it('is reported when it listens for a signal, which a worker does not get', async () => {
    const koine = await startKoine(settingsOf({ start: 'signal' }));
    try {
      const readLines = () =>
        koine.lines().filter(({ message }) => String(message).startsWith('an extension listens for a signal'));
      await until('a line of each worker', () => readLines().length === 2);
      const lines = readLines();
      expect(lines.map(({ worker, signal }) => [worker, signal])).to.have.deep.members([
        [1, 'SIGUSR2'],
        [2, 'SIGUSR2'],
      ]);
      expect(lines[0]?.['stack']).to.include(unruly);
    } finally {
      await koine.end();
    }
  });

  const expectFailure = async (koine: KoineProcess, reason: RegExp): Promise<void> => {
    try {
      expect(await koine.exit).to.equal(1);
      expect(koine.stderr()).to.match(reason);
    } finally {
      await koine.end();
    }
  };

  it('cannot change the working directory, and the start fails with the place', () =>
    expectFailure(
      runKoine(settingsOf({ start: 'chdir' })),
      /^KOINE_EXTENSION_START_FAILED: .*process\.chdir\(\) is not supported in workers \(.*unruly\/index\.ts:\d+\)$/m,
    ));

  it('with a native module that is not made for several threads fails the start, with its file', async function () {
    const [source, native, plugin] = ['old.c', 'old.node', 'index.js'].map((name) => join(folder.path, name));
    // A module of the oldest kind registers itself when the library is loaded, once for the process:
    // https://github.com/nodejs/node/blob/main/src/node.h (struct node_module).
    writeFileSync(
      source!,
      `struct module { int version; unsigned flags; void* handle; const char* file; void (*add)(void*, void*, void*);
         void* context; const char* name; void* priv; void* link; };
       extern void node_module_register(void*);
       static void add(void* exports, void* module, void* priv) {}
       static struct module self = { ${process.versions.modules}, 0, 0, "old.c", add, 0, "old", 0, 0 };
       __attribute__((constructor)) static void begin(void) { node_module_register(&self); }`,
    );
    if (spawnSync('cc', ['-shared', '-fPIC', '-o', native!, source!]).status !== 0) this.skip();
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      plugin!,
      `import { createRequire } from 'node:module';
       import { definePlugin } from 'koine-gateway';
       createRequire(import.meta.url)('./old.node');
       export default definePlugin({ kind: 'plugin', apiVersion: 1, name: 'old', schema: { type: 'object' }, create: () => ({}) });`,
    );
    await expectFailure(
      runKoine({ server: { workers: 2 }, plugins: [{ use: plugin }] }),
      /^KOINE_EXTENSION_BROKEN: .*Module did not self-register: '.*old\.node'.* not made for several threads: .*server\.workers/m,
    );
  });
});
