import { expect } from 'chai';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { callOf, streamEnds } from '../support/calls.ts';
import { goodHeaders, send, type HttpReply, type HttpRequest } from '../support/http.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { parseMetrics, sumOf } from '../support/parse-metrics.ts';
import { exchangesOf, holdInvariants, settles } from '../faults/checks/invariants.ts';
import { modelOf, settingsAt } from '../faults/models.ts';
import { overBoth, startFaultScene, type FaultScene } from '../faults/scene.ts';
import { answerWell, contentFrame, firstFrames, goodAnswer } from '../faults/upstream/answers.ts';
import { trustAuthority } from '../faults/upstream/certificates.ts';
import { opened, type Step } from '../faults/upstream/steps.ts';
import { until } from '../support/until.ts';
import { asChunk, openRaw, pour, type RawClient } from './support/raw-client.ts';

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const WORKERS = 2;
const LIMIT = 1_048_576;
/** Of both workers together. They look at the sum without a lock, so each can exceed it by one. */
const [CONNECTIONS, IN_FLIGHT] = [30, 10];
const model = modelOf('chat');
const { path, body } = callOf('chat', model);
/** The log line of a request with members that the target does not have is longer than this. */
const LINE_BYTES = 8_000;
const foreign = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`member_${index}_${'x'.repeat(110)}`, 1]));
const twice = <T>(make: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: 2 * WORKERS }, make));

/** What kernels and the gateway buffer of a stream that is not read. */
const HELD_BYTES = 24 * LIMIT;
/** Writes as much as is read, while the connection is open. */
const flood =
  (written: { bytes: number }): Step =>
  async ({ socket }) => {
    const frame = contentFrame('chat').replace('day', 'x'.repeat(6_000));
    const bytes = Buffer.from(`${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`);
    const closed = new Promise<void>((resolve) => socket.once('close', resolve));
    while (!socket.destroyed) {
      written.bytes += bytes.length;
      if (!socket.write(bytes))
        await Promise.race([closed, new Promise<void>((resolve) => socket.once('drain', resolve))]);
    }
  };

/**
 * The faults of clients and plugins with several processes, one of each kind. Clients connect with and without
 * TLS.
 */
overBoth('two workers and those who misuse them', (security) => {
  let scene: FaultScene;
  let distrust: () => void;
  before(async () => {
    distrust = trustAuthority();
    const tls =
      security === 'none'
        ? {}
        : { tls: { cert: fileAt('../faults/tls/good.pem'), key: fileAt('../faults/tls/server.key') } };
    scene = await startFaultScene({
      security,
      workers: WORKERS,
      settings: (url) => ({
        ...settingsAt(url),
        server: {
          ...tls,
          bodyLimit: '1mb',
          headersTimeout: '3s',
          requestTimeout: '5s',
          writeStall: '1s',
          maxConnections: CONNECTIONS,
          overload: { inFlight: IN_FLIGHT, lag: '1m' },
        },
        accessLog: { start: true },
        plugins: [
          { use: 'metrics' },
          { use: 'auth' },
          { use: fileAt('../faults/spy/index.ts') },
          { use: fileAt('../faults/rascal/index.ts'), timeout: '100ms' },
        ],
      }),
    });
  });
  after(async () => {
    await scene.stop();
    distrust();
  });

  /** The log is not read: which lines it lost is part of that test. */
  let isLossy = false;
  const clients: RawClient[] = [];
  beforeEach(() => {
    scene.upstream.requests.length = 0;
    scene.upstream.script = answerWell('chat', 'plain');
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    if (!isLossy) await holdInvariants(scene);
  });

  const look = (request: Partial<HttpRequest>): Promise<HttpReply> => send(scene.url, { path, body, ...request });
  const ask = async (request: Partial<HttpRequest> = {}): Promise<HttpReply> => {
    const reply = await look(request);
    scene.replies.push(reply);
    return reply;
  };
  const say = async (text: string): Promise<RawClient> => {
    const client = await openRaw(scene.url, text);
    clients.push(client);
    return client;
  };
  /** Something that is not a request can have no log line; the lines that exist have a status. */
  const countLines = async (): Promise<void> => {
    let seen = -1;
    await until('the log is quiet', () => seen === (seen = scene.said().length), 150);
    while (scene.replies.length < exchangesOf(scene).length) scene.replies.push(new Error('raw'));
  };
  const figure = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> =>
    sumOf(
      parseMetrics((await send(scene.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text),
      name,
      labels,
    );
  const workersOf = (lines: readonly Readonly<Record<string, unknown>>[]): number =>
    new Set(lines.map(({ worker }) => worker)).size;

  it('row 26: pauses the upstreams of clients that do not read, and cuts them', async () => {
    const logged = exchangesOf(scene).length;
    const written = { bytes: 0 };
    scene.upstream.script = () => [...opened(firstFrames('chat')), flood(written)];
    const call = callOf('chat', model, { stream: true });
    const open = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const request = (security === 'none' ? requestHttp : requestHttps)(
          scene.url + call.path,
          { method: 'POST', headers: goodHeaders, agent: false },
          (response) => resolve(response.on('error', () => {}).pause()),
        );
        request.once('error', reject).end(call.body);
      });
    const held = [...(await twice(open))];
    const served = (): number => {
      const ids = new Set(held.map(({ headers }) => headers['x-request-id']));
      const admitted = scene.said().filter(({ fields }) => ids.has(fields['request_id'] as string));
      return new Set(admitted.map(({ fields }) => fields['worker'])).size;
    };
    while (served() < WORKERS) held.push(await open());
    scene.replies.push(...held.map(() => new Error('not read')));
    let seen = -1;
    await until('the upstreams are held up', () => seen === (seen = written.bytes), 1_000);
    expect(seen / held.length, 'what is on its way of each').to.be.below(HELD_BYTES);
    await until('all are cut', () => exchangesOf(scene).length === logged + held.length);
    const lines = exchangesOf(scene).slice(logged);
    for (const line of lines)
      expect(line)
        .to.include({ outcome: 'client_closed', code: 'client_closed' })
        .and.to.have.property('error_message')
        .that.includes('server.writeStall');
    expect(workersOf(lines)).to.equal(WORKERS);
    for (const response of held) response.destroy();
  });

  it('row 27: responds 408 to slow requests, and admits new connections beyond the cap when slow ones end', async () => {
    const shed = await figure('koine_shed_total', { reason: 'connections' });
    const logged = exchangesOf(scene).length;
    // Over TLS this one does not begin a handshake.
    const silent = await openRaw(scene.url.replace('https:', 'http:'), '');
    const half = () => say(rawRequest(path, body.slice(0, 9), [`content-length: ${body.length}`]));
    const begun = () => scene.said().filter(({ text }) => text === 'exchange begins');
    const before = begun().length;
    const bodies = [...(await twice(half))];
    const allHaveBegun = (): Promise<void> => until('all have begun', () => begun().length === before + bodies.length);
    await allHaveBegun();
    while (
      workersOf(
        begun()
          .slice(before)
          .map(({ fields }) => fields),
      ) < WORKERS
    ) {
      bodies.push(await half());
      await allHaveBegun();
    }
    const others = await Promise.all(
      Array.from({ length: WORKERS * CONNECTIONS }, (_, index) => say(index % 2 === 0 ? '' : 'POST ')),
    );
    await until('all of them have ended', () =>
      [silent, ...bodies, ...others].every(({ closed, ended }) => closed || ended),
    );
    const refused = others.filter(({ received }) => received === '');
    const beyond = 1 + bodies.length + others.length - CONNECTIONS;
    expect(refused.length).to.be.within(beyond - WORKERS, beyond + WORKERS);
    await settles(async () =>
      expect((await figure('koine_shed_total', { reason: 'connections' })) - shed).to.equal(refused.length),
    );
    for (const { received } of [...bodies, ...others])
      if (received !== '') expect(received).to.match(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/s);
    // They keep their side open, and every worker closes them even so.
    let served = 0;
    await settles(async () => {
      const replies = await Promise.allSettled(Array.from({ length: 2 * WORKERS }, () => ask()));
      const statuses = replies.map((reply) => (reply.status === 'fulfilled' ? reply.value.status : reply.reason));
      served += replies.filter(({ status }) => status === 'fulfilled').length;
      expect(statuses).to.deep.equal(statuses.map(() => 200));
    });
    await until('the bodies are in the log', () => exchangesOf(scene).length === logged + bodies.length + served);
    const lines = exchangesOf(scene)
      .slice(logged)
      .filter(({ status }) => status === 408);
    expect(lines.map(({ code }) => code)).to.deep.equal(bodies.map(() => 'request_timeout'));
    expect(workersOf(lines)).to.equal(WORKERS);
    scene.replies.push(...bodies.map(() => new Error('408')));
  });

  it('row 28: refuses an endless body without reading it to the end, announced or chunked', async () => {
    const announced = await twice(() =>
      pour(scene.url, rawRequest(path, '', ['content-length: 10000000000']), (piece) => piece),
    );
    const chunked = await twice(() => pour(scene.url, rawRequest(path, '', ['transfer-encoding: chunked']), asChunk));
    for (const { sent, received } of [...announced, ...chunked]) {
      expect(received)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.include('server.bodyLimit')
        .and.match(/\r\nconnection: close\r\n/i);
      // It takes a moment until the client has read the response, longer on a busy machine.
      expect(sent).to.be.below(512 * LIMIT);
      scene.replies.push(new Error('413'));
    }
  });

  it('row 29: responds 413 to a compression bomb, and 415 to an unknown encoding', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * LIMIT, ' '));
    const encoded = (coding: string) => () =>
      ask({ headers: { ...goodHeaders, 'content-encoding': coding }, body: bomb });
    for (const { status } of await twice(encoded('gzip'))) expect(status).to.equal(413);
    for (const { status } of await twice(encoded('rot13'))) expect(status).to.equal(415);
  });

  it('row 33: never returns a name unescaped', async () => {
    for (const name of ['a\r\nx-injected: 1', 'a\0b', '\u2028', '\u00ff\u0080', '__proto__']) {
      for (const reply of await twice(() =>
        ask({ body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Hello' }] }) }),
      )) {
        expect(reply.status, reply.text).to.equal(404);
        expect(reply.headers).to.not.have.property('x-injected');
        for (const value of Object.values(reply.headers)) expect(String(value)).to.match(/^[\x20-\x7e]*$/);
        expect(reply.text)
          .to.not.match(/[\r\n]/)
          .and.not.include('\0');
      }
    }
    for (const reply of await twice(() => ask({ headers: { ...goodHeaders, 'x-request-id': 'mine <script>' } }))) {
      expect(reply.status).to.equal(200);
      expect(reply.headers['x-request-id']).to.match(/^req_\w+$/);
    }
  });

  const ambiguous: Readonly<Record<string, readonly [lines: readonly string[], body: string]>> = {
    'both lengths': [['content-length: 4', 'transfer-encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n'],
    'two lengths': [['content-length: 4', 'content-length: 5'], body],
    'two transfer codings': [['transfer-encoding: chunked', 'transfer-encoding: identity'], '5\r\nhello\r\n0\r\n\r\n'],
    'a chunk size that is no number': [['transfer-encoding: chunked'], 'zz\r\nhello\r\n0\r\n\r\n'],
    'a chunk extension with a line feed': [['transfer-encoding: chunked'], '5;a=\nb\r\nhello\r\n0\r\n\r\n'],
    'a header that goes on in the next line': [['x-request-id: a', ' b'], body],
    'a header with a bare CR': [['x-request-id: a\rx-injected: b'], body],
  };
  it('row 34: responds 400 to an ambiguous body length, and closes the connection', async () => {
    for (const [name, [lines, text]] of Object.entries(ambiguous)) {
      for (const received of await twice(() => sendRaw(scene.url, rawRequest(path, text, lines)))) {
        expect(received, name)
          .to.match(/^HTTP\/1\.1 400 /)
          .and.match(/\r\nconnection: close\r\n/i);
        expect(received.match(/HTTP\/1\.1/g), name).to.have.length(1);
      }
    }
    expect(scene.upstream.requests).to.deep.equal([]);
    await countLines();
  });

  it('row 35: responds to unusual methods, versions and spellings with a status, and none bypasses the key', async () => {
    const { authorization: _key, ...keyless } = goodHeaders;
    for (const spelled of [
      `/${path}`,
      `${path}/`,
      path.replace('/v1', '/%2e/v1'),
      path.replace('/v1', '/x/../v1'),
      path.replace('/v1', '/%76%31'),
      `/livez/..${path}`,
      `http://elsewhere${path}`,
    ]) {
      const [refused, served] = await Promise.all([look({ path: spelled, headers: keyless }), look({ path: spelled })]);
      expect(refused.status, spelled).to.be.oneOf([401, 404]);
      expect(served.status, spelled).to.equal(refused.status === 401 ? 200 : refused.status);
    }
    const methods = await Promise.all(['HEAD', 'OPTIONS', 'PUT', 'TRACE'].map((method) => look({ method, body: '' })));
    expect(methods.map(({ status }) => status)).to.deep.equal([405, 200, 405, 405]);
    expect(
      await sendRaw(scene.url, rawRequest(path, body, ['expect: 100-continue']), (received) => received.includes('}}')),
    ).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    scene.upstream.script = answerWell('chat', 'streamed');
    const old = await sendRaw(scene.url, rawRequest(path, callOf('chat', model, { stream: true }).body, [], '1.0'));
    expect(old)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.match(streamEnds.chat);
    await countLines();
  });

  it('row 36: passes long numbers on as they were written', async () => {
    const numbers = '"seed":9007199254740993,"x_large":1e400,"x_long":0.12345678901234567890';
    for (const { status, text } of await twice(() => ask({ body: `{${numbers},${body.slice(1)}` })))
      expect(status, text).to.equal(200);
    expect(scene.upstream.requests.map((request) => request.body.includes(numbers))).to.deep.equal(
      Array.from({ length: 2 * WORKERS }, () => true),
    );
  });

  const failuresSince = (since: number) =>
    scene
      .said()
      .slice(since)
      .filter(({ text }) => text === 'a plugin failed')
      .map(({ fields }) => fields);
  for (const [way, hook] of [
    ['throw', 'admit'],
    ['reject', 'admit'],
    ['hang', 'admit'],
    ['lie', 'admit'],
    ['keep', 'interceptor'],
  ] as const) {
    it(`row 48: names a plugin that fails (${way}), which harms no other plugin`, async () => {
      const since = scene.said().length;
      const [bad, good] = await Promise.all([
        twice(() => ask({ headers: { ...goodHeaders, 'x-mischief': way } })),
        twice(ask),
      ]);
      expect(bad.map(({ status }) => status)).to.deep.equal(bad.map(() => 500));
      expect(good.map(({ status }) => status)).to.deep.equal(good.map(() => 200));
      await until('it is named', () => failuresSince(since).length === bad.length);
      for (const line of failuresSince(since)) expect(line).to.include({ plugin: 'rascal', hook, action: 'fail' });
    });
  }

  it('row 48: blocks only its own worker with a plugin that computes for long, and logs it', async () => {
    // All requests can be at the worker that is blocked, or take longer than it is.
    await until('a request is served while a worker is blocked', async () => {
      let isOver = false;
      const blocked = ask({ headers: { ...goodHeaders, 'x-mischief': 'block' } }).finally(() => (isOver = true));
      const meanwhile = await twice(() => ask().then(({ status }) => status === 200 && !isOver));
      expect((await blocked).status).to.equal(200);
      return meanwhile.includes(true);
    });
    // A worker logs it once in a while: on a busy machine perhaps before this test, and then not again.
    await until('the log says so', () =>
      scene.said().some(({ text }) => text.startsWith('the event loop was blocked')),
    );
  });

  it('row 50: refuses requests above the limits of all workers, serves those that have entered, and recovers', async () => {
    const shed = await figure('koine_shed_total', { reason: 'in_flight' });
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    scene.upstream.script = () => [() => gate, ...goodAnswer('chat', 'plain')];
    const known = scene.replies.length;
    const asked: ReturnType<typeof ask>[] = [];
    const askMore = async (): Promise<void> => {
      asked.push(...Array.from({ length: IN_FLIGHT }, () => ask()));
      const isDecided = (): boolean => scene.upstream.requests.length + scene.replies.length - known >= asked.length;
      await until('each request has entered or is refused', isDecided);
    };
    await askMore();
    await askMore();
    expect(scene.upstream.requests).to.have.length(IN_FLIGHT);
    expect((await send(scene.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(200);
    release();
    const replies = await Promise.all(asked);
    expect(replies.filter(({ status }) => status === 200)).to.have.length(IN_FLIGHT);
    for (const { headers, status } of replies)
      if (status !== 200) expect([status, headers['retry-after']]).to.deep.equal([503, '1']);
    await settles(async () =>
      expect((await figure('koine_shed_total', { reason: 'in_flight' })) - shed).to.equal(asked.length - IN_FLIGHT),
    );
    expect((await twice(ask)).every(({ status }) => status === 200)).to.equal(true);
  });

  // The log does not depend on the kind of connection.
  if (security === 'none') {
    it('row 49: serves all requests while the log is not read, keeps the lines that fit, and counts the rest', async () => {
      isLossy = true;
      scene.upstream.script = answerWell('messages', 'plain');
      const { body: long } = callOf('chat', modelOf('messages'), { more: foreign });
      const logged = exchangesOf(scene).length;
      scene.processes?.pauseReading();
      let sent = 0;
      while ((await figure('koine_log_dropped_total')) === 0) {
        // Metrics cost more than a request: they are not read after each.
        for (let times = 0; times < 5; times += 1) {
          const replies = await Promise.all(
            Array.from({ length: IN_FLIGHT }, () => send(scene.url, { path, body: long })),
          );
          expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200));
          sent += replies.length;
        }
        expect(sent * LINE_BYTES, 'they hold no more than they may').to.be.below(WORKERS * 16 * LIMIT);
      }
      const dropped = await figure('koine_log_dropped_total');
      scene.processes?.resumeReading();
      const reported = (): number =>
        scene
          .said()
          .filter(({ text }) => text.startsWith('lines of this log were dropped'))
          .reduce((sum, { fields }) => sum + Number(fields['lines']), 0);
      await until('it reports the dropped lines', () => reported() >= dropped);
      await until('every line that was kept is whole', () => exchangesOf(scene).length >= logged + sent - reported());
    });
  }
});
