import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../core/services/build.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { runKoine, startKoine, tickets, type KoineProcess, type LogLine } from './koine-process.ts';

/** Every process of its group, from /proc. */
const processesOf = ({ pid }: KoineProcess): boolean => {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
};

describe('a start of several workers', () => {
  const failures: readonly (readonly [what: string, settings: Readonly<Record<string, unknown>>, reason: RegExp])[] = [
    [
      'the configuration has a problem',
      { models: { 'simulator/chat': { targets: [{ provider: 'simulater', model: 'chat' }] } } },
      /gateway\.yaml:\d+:\d+ error \S+ .*simulater/,
    ],
    [
      'the database is one that only one thread can have',
      { store: { database: 'sqlite::memory:' } },
      /^KOINE_STORE_FAILED: store\.database is sqlite::memory:, which 3 workers cannot share/m,
    ],
    [
      'a plugin does not start in them',
      { plugins: [{ use: 'auth' }, { use: tickets, config: { worker: 'refuse' } }] },
      /^KOINE_EXTENSION_START_FAILED: .*no tickets are sold here \(.*tickets\/index.ts:\d+\)$/m,
    ],
    [
      'they exit again and again',
      { plugins: [{ use: 'auth' }, { use: tickets, config: { worker: 'die' } }] },
      /^KOINE_WORKER_FAILED: .*the last one with exit code 9 \(exit\)$/m,
    ],
  ];
  for (const [what, settings, reason] of failures) {
    it(`the start fails with one error and leaves no process when ${what}`, async () => {
      const koine = runKoine({ server: { workers: 3 }, ...settings });
      try {
        expect(await koine.exit).to.equal(1);
        expect(koine.stderr()).to.match(reason);
        expect(koine.stderr().match(new RegExp(reason, 'gm'))).to.have.length(1);
        expect(processesOf(koine)).to.equal(false);
      } finally {
        await koine.end();
      }
    });
  }

  it('the start fails when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const koine = runKoine({ server: { workers: 2, port } });
    try {
      expect(await koine.exit).to.equal(1);
      expect(koine.stderr()).to.match(
        new RegExp(
          `^KOINE_LISTEN_FAILED: 127\\.0\\.0\\.1:${port} cannot be bound: .*EADDRINUSE.* --port \\(server\\.port\\)`,
        ),
      );
      expect(processesOf(koine)).to.equal(false);
    } finally {
      await koine.end();
      other.close();
    }
  });

  for (const workers of [1, 2])
    it(`reports in one line that the gateway is ready, ${workers === 1 ? 'one process' : 'workers'}`, async () => {
      const koine = await startKoine({ server: { workers } });
      try {
        const isReady = ({ message }: LogLine): boolean => message === 'the gateway is ready';
        await until('the line', () => koine.lines().some(isReady));
        const { ts: _ts, ...line } = koine.lines().find(isReady) ?? {};
        const { url: data, adminUrl: admin } = koine;
        const { version } = build;
        expect(line).to.deep.equal({ level: 'info', data, admin, version, workers, message: 'the gateway is ready' });
        expect(koine.lines().filter(isReady)).to.have.length(1);
      } finally {
        await koine.end();
      }
    });

  it('a start without verification of TLS is logged as a warning, and each other start is not', async () => {
    for (const value of ['0', '1']) {
      const koine = await startKoine({ server: { workers: 1 } }, { NODE_TLS_REJECT_UNAUTHORIZED: value });
      try {
        await until('the start is logged', () =>
          koine.lines().some(({ message }) => message === 'the gateway is ready'),
        );
        const warnings = koine
          .lines()
          .filter((line) => String(line['message']).startsWith('NODE_TLS_REJECT_UNAUTHORIZED=0'));
        expect(warnings.map(({ level }) => level)).to.deep.equal(value === '0' ? ['warn'] : []);
      } finally {
        await koine.end();
      }
    }
  });

  it('creates one first key, which every worker accepts', async () => {
    const koine = await startKoine({
      server: { workers: 4 },
      organizations: {},
      plugins: [{ use: 'auth' }, { use: tickets }],
    });
    try {
      const secrets = koine.stderr().match(/^ {2}koine_\S+$/gm) ?? [];
      expect(secrets).to.have.length(1);
      // The example command works as it is.
      expect(koine.stderr()).to.contain(`Bearer ${secrets[0]?.trim()}'`);
      const headers = { authorization: `Bearer ${secrets[0]?.trim()}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] });
      const replies = await Promise.all(
        Array.from({ length: 64 }, () => send(koine.url, { path: '/v1/chat/completions', headers, body })),
      );
      expect(replies.map(({ status }) => status)).to.deep.equal(Array.from({ length: 64 }, () => 200));
      expect(new Set(replies.map((reply) => reply.headers['x-worker']))).to.have.property('size', 4);
    } finally {
      await koine.end();
    }
  });

  it('the gateway serves TLS', async function () {
    const folder = mkdtempSync(join(tmpdir(), 'koine-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const files = [
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      ...files,
    ]);
    if (made.status !== 0) this.skip();
    const koine = await startKoine({ server: { workers: 2, tls: { cert, key } } });
    try {
      expect(koine.url).to.match(/^https:/);
      const ca = readFileSync(cert, 'utf8');
      for (let call = 0; call < 4; call += 1)
        expect((await send(koine.url, { method: 'GET', path: '/readyz', headers: {}, ca })).status).to.equal(200);
    } finally {
      await koine.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
