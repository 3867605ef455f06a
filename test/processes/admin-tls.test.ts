import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { send, type HttpRequest } from '../support/http.ts';
import { runKoine, startKoine, type KoineProcess } from './koine-process.ts';
import { bin } from '../support/servers/koine-program.ts';

const inFolder = (name: string): string => fileURLToPath(new URL(`../faults/tls/${name}`, import.meta.url));
const TOKEN = 'Zp4w8Q2nV7xK1mB6tR9yL3cH5jD0fG7s';
const ca = readFileSync(inFolder('ca.pem'), 'utf8');
const tls = { cert: inFolder('good.pem'), key: inFolder('server.key') };
const run = promisify(execFile);

for (const workers of [1, 2]) {
  describe(`the admin listener with TLS, ${workers === 1 ? 'one process' : 'workers'}`, () => {
    let koine: KoineProcess;
    before(async () => {
      koine = await startKoine({
        server: { workers },
        admin: { port: 0, token: TOKEN, tls },
        plugins: [{ use: 'auth' }, { use: 'dashboard' }],
      });
    });
    after(() => koine.end());
    const ask = (request: HttpRequest) => send(koine.adminUrl, { ca, ...request });

    it('the admin listener with TLS responds only over HTTPS', async () => {
      expect(koine.adminUrl).to.match(/^https:/);
      const authorization = { authorization: `Bearer ${TOKEN}` };
      expect((await ask({ method: 'GET', path: '/admin/keys', headers: authorization })).status).to.equal(200);
      expect((await ask({ method: 'GET', path: '/admin/keys', headers: {} })).status).to.equal(401);
      const untrusted: unknown = await send(koine.adminUrl, { method: 'GET', path: '/livez', headers: {} }).catch(
        (error: unknown) => error,
      );
      expect(untrusted).to.be.instanceOf(Error).with.property('code', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
      const plain: unknown = await send(koine.adminUrl.replace('https', 'http'), {
        method: 'GET',
        path: '/livez',
        headers: {},
      }).catch((error: unknown) => error);
      expect(plain).to.satisfy(
        (reply: unknown) => reply instanceof Error || (reply as { status: number }).status === 400,
      );
    });

    it('sets a session cookie that is sent only over HTTPS', async () => {
      const origin = koine.adminUrl;
      const reply = await ask({
        path: '/admin/login',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: `token=${TOKEN}`,
      });
      expect(reply.status).to.equal(303);
      const cookie = String(reply.headers['set-cookie']);
      expect(cookie).to.match(/; HttpOnly; SameSite=Strict; .*; Secure$/);
      expect((await ask({ method: 'GET', path: '/', headers: { cookie: cookie.split(';')[0] } })).status).to.equal(200);
    });

    it('koine diff --live reaches the admin listener over TLS', async () => {
      const { port } = new URL(koine.adminUrl);
      const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: inFolder('ca.pem') };
      const { stdout } = await run(
        process.execPath,
        [bin, 'diff', '--live', koine.file, '--admin', `https://127.0.0.1:${port}`],
        { env },
      );
      expect(stdout).to.match(/nothing|same|no difference/i);
    });
  });
}

describe('an admin listener on a public address', () => {
  const refused = async (admin: object): Promise<string> => {
    const koine = runKoine({ admin: { host: '0.0.0.0', port: 0, ...admin } });
    try {
      expect(await koine.exit).to.equal(1);
      return koine.stderr();
    } finally {
      await koine.end();
    }
  };

  for (const [token, why] of [
    ['short-but-random-8fK2', 'has 21 characters, but needs at least 32'],
    ['0123456789abcdef0123456789abcdef', 'is a repeated pattern'],
    ['changeme-admin-token-changeme-1234', 'consists of common words'],
  ] as const) {
    it(`does not start with a token that ${why}`, async () => {
      const stderr = await refused({ token });
      expect(stderr)
        .to.match(/gateway\.yaml:\d+:\d+ error weak-token/)
        .and.contain(why)
        .and.contain('openssl rand -base64 32');
      expect(stderr).to.not.contain(token);
    });
  }

  it('does not start with an invalid certificate or key, and names the file', async () => {
    const stderr = await refused({ token: TOKEN, tls: { cert: inFolder('server.key'), key: inFolder('server.key') } });
    expect(stderr)
      .to.match(/gateway\.yaml:\d+:\d+ error invalid-certificate admin\.tls\.cert \(.*server\.key\) cannot be used/)
      .and.not.match(/\n\s+at /);
  });

  it('starts with a strong token', async () => {
    const koine = await startKoine({ server: { workers: 1 }, admin: { host: '0.0.0.0', port: 0, token: TOKEN } });
    expect(
      (
        await send(koine.adminUrl.replace('0.0.0.0', '127.0.0.1'), {
          method: 'GET',
          path: '/admin/keys',
          headers: { authorization: `Bearer ${TOKEN}` },
        })
      ).status,
    ).to.equal(200);
    await koine.end();
  });
});
