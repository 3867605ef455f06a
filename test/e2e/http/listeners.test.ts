import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { Agent, fetch } from 'undici';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders, readError, send } from '../../support/http.ts';
import { callOf } from '../../support/calls.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

describe('health', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  for (const listener of ['data', 'admin'] as const) {
    for (const path of ['/livez', '/readyz', '/startupz']) {
      it(`${path} responds on the ${listener} listener without a key`, async () => {
        const { url } = scene.gateway.gateway[listener];
        const reply = await send(url, { method: 'GET', path, headers: {} });
        expect([reply.status, reply.text]).to.deep.equal([200, '{"status":"ok"}']);
        expect(reply.headers['cache-control']).to.equal('no-store');
        const head = await send(url, { method: 'HEAD', path, headers: {} });
        expect([head.status, head.text]).to.deep.equal([200, '']);
      });
    }
  }

  it('GET / of the data listener says what it is, without a key', async () => {
    const reply = await send(scene.gateway.gateway.data.url, { method: 'GET', path: '/', headers: {} });
    expect(reply.status).to.equal(200);
    expect(JSON.parse(reply.text)).to.include({ name: 'Koine' }).and.include.keys('message', 'documentation');
    expect((await send(scene.gateway.gateway.data.url, { method: 'POST', path: '/', headers: {} })).status).to.equal(
      404,
    );
  });

  it('the admin listener serves no route of the data listener', async () => {
    const reply = await send(scene.gateway.gateway.admin.url, callOf('chat', 'simulator/chat'));
    expect(reply.status).to.equal(404);
  });

  it('a call of a plugin that is not configured gets a hint', async () => {
    const lost = async (url: string, path: string): Promise<string> => {
      const reply = await send(url, { method: 'GET', path, headers: {} });
      expect(reply.status).to.equal(404);
      return readError(reply).error.message;
    };
    expect(await lost(scene.gateway.url, '/v1/usage')).to.equal(
      'There is no route /v1/usage. The gateway serves the routes of gateway.yaml and the endpoints of its plugins.',
    );
    expect(await lost(scene.gateway.gateway.admin.url, '/admin/usage')).to.equal(
      'There is no route /admin/usage. GET /admin/openapi.json lists all calls. ' +
        'A plugin adds its calls while gateway.yaml has it under plugins.',
    );
  });

  it('health checks leave no line in the access log', async () => {
    expect(scene.gateway.exchanges()).to.have.length(0);
  });
});

describe('the client address', () => {
  /** As the access log has it. */
  const addressOf = async (
    trustProxy: readonly string[],
    forwarded: string | readonly string[] | undefined,
  ): Promise<unknown> => {
    const scene = await startScene({ server: { port: 0, trustProxy } });
    const headers = {
      ...goodHeaders,
      ...(forwarded === undefined
        ? {}
        : { 'x-forwarded-for': typeof forwarded === 'string' ? forwarded : [...forwarded] }),
    };
    await send(scene.gateway.url, { ...callOf('messages', 'simulator/chat'), headers });
    await scene.gateway.settled(1);
    const [line] = scene.gateway.exchanges();
    await scene.stop();
    return line?.['client_ip'];
  };

  it('the address is the peer if no proxy is trusted, whatever is forwarded', async () => {
    expect(await addressOf([], '203.0.113.9')).to.equal('127.0.0.1');
  });
  it('the address is the peer if another proxy is trusted', async () => {
    expect(await addressOf(['10.0.0.0/8'], '203.0.113.9')).to.equal('127.0.0.1');
  });
  it('the address is what a trusted proxy forwards', async () => {
    expect(await addressOf(['127.0.0.0/8'], '203.0.113.9')).to.equal('203.0.113.9');
    expect(await addressOf(['127.0.0.1'], '2001:db8::7')).to.equal('2001:db8::7');
  });
  it('the address is read from the right, ignoring what the client put in front', async () => {
    expect(await addressOf(['127.0.0.0/8', '10.0.0.0/8'], '1.1.1.1, 203.0.113.9, 10.0.0.7')).to.equal('203.0.113.9');
    expect(await addressOf(['127.0.0.0/8', '10.0.0.0/8'], ['1.1.1.1', '203.0.113.9', '10.0.0.7'])).to.equal(
      '203.0.113.9',
    );
  });
  it('the address is the peer if nothing usable is forwarded', async () => {
    for (const forwarded of [undefined, '', 'unknown', '127.0.0.1', '<script>'])
      expect(await addressOf(['127.0.0.0/8'], forwarded), forwarded).to.equal('127.0.0.1');
  });
});

describe('TLS', () => {
  let folder: string;
  let scene: Scene;
  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'koine-tls-'));
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      ...files,
    ]);
    if (made.status !== 0) this.skip();
    scene = await startScene({
      server: { port: 0, tls: { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') } },
    });
  });
  after(async () => {
    await scene?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('TLS serves plain responses and streams to the SDK', async () => {
    const { url } = scene.gateway;
    expect(url).to.match(/^https:/);
    const ca = readFileSync(join(folder, 'cert.pem'), 'utf8');
    const dispatcher = new Agent({ connect: { ca } });
    const client = new OpenAI({
      apiKey: KEY,
      baseURL: `${url}/v1`,
      maxRetries: 0,
      fetch: fetch as never,
      fetchOptions: { dispatcher: dispatcher as never },
    });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const plain = await client.chat.completions.create({ model: 'simulator/chat', messages });
    let text = '';
    for await (const { choices } of await client.chat.completions.create({
      model: 'simulator/chat',
      messages,
      stream: true,
    }))
      text += choices[0]?.delta.content ?? '';
    expect(text)
      .to.equal(plain.choices[0]?.message.content)
      .and.to.match(/^You said: Hello/);
    await dispatcher.close();
  });

  it('TLS refuses clients that do not trust the certificate, and plain HTTP', async () => {
    const { url } = scene.gateway;
    const distrust: unknown = await send(url, { method: 'GET', path: '/livez', headers: {} }).catch(
      (error: unknown) => error,
    );
    expect(distrust).to.be.instanceOf(Error).with.property('code', 'DEPTH_ZERO_SELF_SIGNED_CERT');
    const plain: unknown = await send(url.replace('https', 'http'), {
      method: 'GET',
      path: '/livez',
      headers: {},
    }).catch((error: unknown) => error);
    expect(plain).to.satisfy(
      (reply: unknown) => reply instanceof Error || (reply as { status: number }).status === 400,
    );
    const ca = readFileSync(join(folder, 'cert.pem'), 'utf8');
    expect((await send(url, { method: 'GET', path: '/livez', headers: {}, ca })).status).to.equal(200);
  });
});

describe('idle connections of clients', () => {
  it('a connection without a request is closed after server.keepAliveTimeout', async () => {
    const scene = await startScene({ server: { port: 0, keepAliveTimeout: '1s' } });
    const { data, admin } = scene.gateway.gateway;
    const open = async (url: string): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      return socket.resume();
    };
    const [client, other] = await Promise.all([open(data.url), open(admin.url)]);
    try {
      await until('it is closed', () => client.closed);
      expect(other.closed, 'the admin listener has the default').to.equal(false);
    } finally {
      other.destroy();
      client.destroy();
      await scene.stop();
    }
  });
});
