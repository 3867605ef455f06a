import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { checkRefusal } from './access-routes.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';

const SECRET = 'secret-of-carol-0123456789';
const digestOf = (key: string): string => hash('sha256', key);
const carol = { active: true, key: 'carol', project: 'app', organization: 'acme' };

describe('a remote key service', () => {
  let service: Server;
  let gateway: TestGateway;
  const asked: {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[] = [];
  const ports = new Set<number | undefined>();
  /** What it says of a digest. */
  let answer: (response: ServerResponse, sha256: string) => void;
  const say =
    (body: object, status = 200) =>
    (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const knowCarol: typeof answer = (response, sha256) =>
    say(sha256 === digestOf(SECRET) ? carol : { active: false })(response);

  const ask = (key: string, path = '/v1/models'): Promise<HttpReply> =>
    send(gateway.url, { method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
  const listedTo = async (key: string): Promise<readonly string[]> =>
    (JSON.parse((await ask(key)).text) as { data: { id: string }[] }).data.map(({ id }) => id);
  const texts = (level: string): readonly string[] =>
    gateway.lines.filter((line) => line.level === level).map(({ text }) => text);

  beforeEach(async () => {
    asked.length = 0;
    ports.clear();
    answer = knowCarol;
    service = createServer((request, response) => {
      let body = '';
      ports.add(request.socket.remotePort);
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.once('end', () => {
        asked.push({ method: request.method, url: request.url, headers: request.headers, body });
        answer(response, (JSON.parse(body) as { sha256: string }).sha256);
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    process.env['KOINE_TEST_KEY_SERVICE'] = 'canary-token';
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: {
        'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
        'simulator/other': { targets: [{ provider: 'simulator', model: 'chat' }] },
      },
      plugins: [
        {
          use: 'auth',
          config: {
            failures: false,
            remote: {
              url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/check?v=1`,
              headers: { Authorization: 'Bearer ${KOINE_TEST_KEY_SERVICE}' },
              timeout: '300ms',
              cache: '0s',
              grace: '1h',
            },
          },
        },
      ],
    });
  });
  afterEach(async () => {
    delete process.env['KOINE_TEST_KEY_SERVICE'];
    expect(JSON.stringify(gateway.lines))
      .to.not.include('canary-token')
      .and.not.include(SECRET)
      .and.not.include(digestOf(SECRET));
    await gateway.stop();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it('the key service receives a digest and returns the caller', async () => {
    expect((await ask(SECRET)).status).to.equal(200);
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({ method: 'POST', url: '/check?v=1', body: `{"sha256":"${digestOf(SECRET)}"}` });
    expect(asked[0]?.headers).to.include({
      authorization: 'Bearer canary-token',
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.stringify(asked)).to.not.include(SECRET);
    const reply = await send(gateway.url, {
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${SECRET}` },
      body: JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(reply.status).to.equal(200);
    await gateway.settled(1);
    expect(gateway.exchanges()[0]).to.include({ key_alias: 'remote:carol', project: 'app', organization: 'acme' });
  });

  it('the key service is called over one connection, and not for keys of the configuration', async () => {
    for (const key of [SECRET, SECRET, 'wrong', KEY, SECRET]) await ask(key);
    expect([asked.length, ports.size]).to.deep.equal([4, 1]);
  });

  it('the key service limits which models a key may use', async () => {
    expect(await listedTo(SECRET)).to.deep.equal(['simulator/chat', 'simulator/other']);
    answer = say({ ...carol, models: ['simulator/other'] });
    expect(await listedTo(SECRET)).to.deep.equal(['simulator/other']);
  });

  it('a key that the key service does not know, has disabled or has expired gets the same 401', async () => {
    const answers = [
      say({}, 404),
      say({ active: false }),
      say({ ...carol, expires: '2020-01-01' }),
      say({ ...carol, expires: new Date().toISOString() }),
    ];
    for (const next of answers) {
      answer = next;
      checkRefusal(await ask(SECRET), 'chat', 401);
    }
    expect(asked).to.have.length(answers.length);
  });

  const failures: Readonly<Record<string, typeof answer>> = {
    'returns 500': say({}, 500),
    'returns 401': say({ active: false }, 401),
    'redirects': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    'sends no JSON': (response) => void response.end('<html>'),
    'returns no caller': say({ active: true }),
    'sends too much': (response) => void response.end(JSON.stringify({ ...carol, more: 'x'.repeat(1_100_000) })),
    'hangs': () => {},
    'closes the connection': (response) => void response.destroy(),
  };
  for (const [how, failing] of Object.entries(failures)) {
    it(`a key service that ${how} causes 503 for unknown keys and keeps known keys working`, async () => {
      expect((await ask(SECRET)).status).to.equal(200);
      answer = failing;
      expect((await ask(SECRET)).status).to.equal(200);
      for (const key of ['stranger', 'stranger', 'another']) checkRefusal(await ask(key), 'chat', 503);
      // An exchange says in the log why it failed; what the service was sent is no part of that.
      checkRefusal(
        await send(gateway.url, { path: '/v1/messages', headers: { 'x-api-key': `${SECRET}x` }, body: '{}' }),
        'messages',
        503,
      );
      expect((await ask(KEY)).status).to.equal(200);
      expect((await ask(SECRET)).status).to.equal(200);
      expect(texts('warn').filter((text) => text.includes('key service'))).to.deep.equal([
        'The keys of the key service cannot be read. Keys of the configuration and recently confirmed keys still work.',
      ]);
      answer = knowCarol;
      checkRefusal(await ask('stranger'), 'chat', 401);
      expect((await ask(SECRET)).status).to.equal(200);
      expect(texts('info').filter((text) => text.includes('key service'))).to.deep.equal([
        'The keys of the key service can be read again.',
      ]);
    });
  }
});
