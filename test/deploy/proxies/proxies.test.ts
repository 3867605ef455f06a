import { expect } from 'chai';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { configOf } from '../../processes/koine-process.ts';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { requireProgram, startGatewayProgram, type GatewayProgram } from '../programs.ts';
import { ca, proxyKinds, type Proxy } from './proxies.ts';

const delta = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const END = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

const chat = (content: string, model = 'simulator/chat', stream = false) => ({
  path: '/v1/chat/completions',
  body: JSON.stringify({ model, stream, messages: [{ role: 'user', content }] }),
  ca,
});

interface Stream {
  readonly status: number;
  text(): string;
  readonly ended: Promise<string | undefined>;
  leave(): void;
}

/** A streamed request, once its status is known. */
const openStream = (url: string, path: string, body: string): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const request = requestHttps(url + path, { method: 'POST', headers: goodHeaders, agent: false, ca }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const ended = new Promise<string | undefined>((done) =>
        response.once('end', () => done(text)).once('error', () => done(undefined)),
      );
      resolve({ status: response.statusCode ?? 0, text: () => text, ended, leave: () => void request.destroy() });
    });
    request.once('error', reject).end(body);
  });

for (const { name, command, start } of proxyKinds)
  describe(`${name} in front of a gateway, with the file in deploy/proxies/`, () => {
    const folder = createTemporaryFolder();
    let upstream: TestUpstream;
    let gateways: readonly GatewayProgram[] = [];
    let proxy: Proxy;

    const startGateway = (id: string): Promise<GatewayProgram> => {
      const config = configOf({
        server: { trustProxy: ['127.0.0.1'], readOn: { time: '0s' }, drain: { delay: '5s' } },
        store: { database: `sqlite:./${id}.db` },
        providers: {
          simulator: { use: 'simulator' },
          upstream: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1` } },
        },
        models: {
          'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
          'upstream/chat': { targets: [{ provider: 'upstream', model: 'chat' }] },
        },
        plugins: [{ use: 'auth' }, { use: 'failover' }],
      });
      const file = join(folder.path, `${id}.yaml`);
      writeFileSync(file, stringify(config));
      return startGatewayProgram(file, {}, '--port=0', '--admin-port=0');
    };
    const log = (): readonly Readonly<Record<string, unknown>>[] =>
      gateways.flatMap((gateway) =>
        gateway
          .output()
          .split('\n')
          .filter((line) => line.startsWith('{') && line.endsWith('}'))
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      );

    before(async function () {
      requireProgram(this, command, `apt-get install --no-install-recommends ${command}`);
      upstream = await startUpstream();
      gateways = await Promise.all([startGateway('first'), startGateway('second')]);
      proxy = await start(
        folder.path,
        gateways.map(({ url }) => new URL(url).host),
      );
    });
    after(async () => {
      for (const program of [...gateways, proxy]) program?.signal('SIGINT');
      await Promise.all([...gateways, proxy].map((program) => program?.exit));
      await upstream?.stop();
      folder.remove();
    });

    const generate = '/v1beta/models/upstream/chat:streamGenerateContent';
    const streams = [
      ['server-sent events', '/v1/chat/completions', JSON.parse(chat('Hi', 'upstream/chat', true).body) as object],
      ['a JSON array', generate, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
    ] as const;
    for (const [format, path, body] of streams)
      it(`${name} passes each event on before the next one is sent: ${format}`, async () => {
        let received = (): string => '';
        upstream.answer = async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const word of ['one', 'two', 'three']) {
            response.write(delta(word));
            await until(`the client has ${word}`, () => received().includes(word));
          }
          response.end(END);
        };
        const stream = await openStream(proxy.url, path, JSON.stringify(body));
        received = stream.text;
        expect(stream.status).to.equal(200);
        expect(await stream.ended).to.contain('three');
      });

    it(`${name} reports a client that leaves, and the call to the provider is aborted`, async () => {
      const before = upstream.cut.count;
      upstream.answer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(delta('one'));
      };
      const stream = await openStream(proxy.url, ...([streams[0][1], JSON.stringify(streams[0][2])] as const));
      await until('the stream has begun', () => stream.text().includes('one'));
      stream.ended.catch(() => {});
      stream.leave();
      await until('the call is aborted', () => upstream.cut.count > before);
    });

    it(`${name} passes a body of 19 MB, and leaves it to the gateway to refuse one of 21 MB`, async () => {
      const large = (size: number) => send(proxy.url, chat('x'.repeat(size)));
      expect((await large(19 * 1024 * 1024)).status).to.equal(200);
      // A proxy that closes while the body is still being sent can reset the connection, which loses the refusal.
      // https://www.rfc-editor.org/rfc/rfc9112#section-9.6
      let refused = await large(20.5 * 1024 * 1024).catch(() => undefined);
      for (let times = 0; refused === undefined && times < 10; times += 1)
        refused = await large(20.5 * 1024 * 1024).catch(() => undefined);
      if (refused === undefined) throw new Error('no refusal has arrived');
      expect(refused.status).to.equal(413);
      expect(JSON.parse(refused.text)).to.have.nested.property('error.code', 'request_too_large');
    });

    it(`${name} passes the refusal of a key although the body is still being sent`, async () => {
      const headers = { ...goodHeaders, authorization: 'Bearer wrong' };
      const { status } = await send(proxy.url, { ...chat('x'.repeat(10 * 1024 * 1024)), headers });
      expect(status).to.equal(401);
    });

    it(`${name} reports the address of the client, not one that the client has written`, async () => {
      const headers = { ...goodHeaders, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'address' };
      const sent = await new Promise<number>((resolve, reject) =>
        requestHttps(
          `${proxy.url}/v1/chat/completions`,
          { method: 'POST', headers, ca, family: 4, localAddress: '127.0.0.3' },
          (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)),
        )
          .once('error', reject)
          .end(chat('Hi').body),
      );
      expect(sent).to.equal(200);
      const find = () => log().find(({ client_request_id: id }) => id === 'address');
      await until('the request is logged', () => find() !== undefined);
      expect(find()?.['client_ip']).to.equal('127.0.0.3');
    });

    it(`${name} logs no key that a client sends in the query`, async () => {
      const path = `/v1/models?key=${KEY}`;
      expect((await send(proxy.url, { method: 'GET', path, headers: {}, ca })).status).to.equal(200);
      const file = join(folder.path, 'nginx/access.log');
      await until('it is logged', () => command !== 'nginx' || readFileSync(file, 'utf8').includes('"GET /v1/models"'));
      expect(proxy.output() + (existsSync(file) ? readFileSync(file, 'utf8') : '')).to.not.contain(KEY);
    });

    it(`${name} has no failed request while a gateway reloads and then is replaced by another`, async () => {
      const [old] = gateways;
      if (old === undefined) throw new Error('there is no gateway');
      const statuses: number[] = [];
      const over = new AbortController();
      const ask = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const { status, text } = await send(proxy.url, chat('Hi'));
          statuses.push(text.includes('You said') ? status : 0);
        }
      };
      const asking = [ask(), ask()];
      const long = await Promise.all(
        [1, 2].map(() =>
          openStream(
            proxy.url,
            ...(['/v1/chat/completions', chat('Hi [[simulator pace=200]]', 'simulator/chat', true).body] as const),
          ),
        ),
      );
      appendFileSync(join(folder.path, 'first.yaml'), 'unpriced: allow\n');
      old.signal('SIGHUP');
      await until('it has reloaded', () => old.output().includes('"the configuration was reloaded"'));
      const reloaded = statuses.length;
      await until('requests are answered after it', () => statuses.length > reloaded + 20);
      old.signal('SIGTERM');
      expect(await old.exit).to.equal(0);
      const drained = statuses.length;
      await until('requests are answered by the other gateway', () => statuses.length > drained + 20);
      over.abort();
      await Promise.all(asking);
      expect(statuses.filter((status) => status !== 200)).to.deep.equal([]);
      for (const { ended } of long) expect(await ended).to.contain('[DONE]');
    });
  });
