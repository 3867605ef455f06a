import { expect } from 'chai';
import { Agent, get, request as requestHttp } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callOf } from '../support/calls.ts';
import { goodHeaders, send } from '../support/http.ts';
import { errorFrames, goodEnds } from '../matrix/clients/raw-stream.ts';
import { wireNames, wires, type Wire } from '../matrix/wires.ts';
import { runKoine, startKoine, type KoineProcess } from './koine-process.ts';
import { until } from '../support/until.ts';

const MODEL = 'simulator/chat';
const models = { [MODEL]: { wires: Object.values(wireNames), targets: [{ provider: 'simulator', model: 'chat' }] } };
const settingsOf = (workers: number, drain: object) => ({
  server: { workers, drain },
  models,
  plugins: [{ use: 'auth' }, { use: 'metrics' }],
});

interface Stream {
  readonly wire: Wire;
  /** The whole text when the stream has ended; the error where it broke. */
  readonly text: Promise<string>;
}

const saying = (wire: Wire, words: string, stream = true) => {
  const { path, body } = callOf(wire, MODEL, { stream });
  return { path, body: body.replace(/("(?:content|input|text)":\s*")[^"]*"/, `$1Hi [[simulator ${words}]]"`) };
};

/** A stream that has begun, on a wire. */
const openStream = (url: string, wire: Wire, words: string): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const { path, body } = saying(wire, words);
    const request = requestHttp(`${url}${path}`, { method: 'POST', headers: goodHeaders, agent: false }, (response) => {
      let text = '';
      const whole = new Promise<string>((done) =>
        response.once('end', () => done(text)).once('error', (error) => done(`broken: ${error.message}`)),
      );
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        resolve({ wire, text: whole });
      });
      response.once('end', () => reject(new Error(`${response.statusCode} ${text}`)));
    });
    request.once('error', reject).end(body);
  });

interface Reply {
  readonly wire: Wire;
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

/** The response to a request whose body never ends. */
const sendHalf = (url: string, wire: Wire): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { path, body } = saying(wire, 'words=3');
    const request = requestHttp(
      `${url}${path}`,
      { method: 'POST', headers: { ...goodHeaders, 'content-length': 2 * body.length }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response
          .once('error', reject)
          .once('end', () =>
            resolve({ wire, status: response.statusCode, connection: response.headers.connection, text }),
          );
      },
    );
    request.once('error', reject).write(body);
  });

const openMixed = (url: string, count: number, words: string): Promise<readonly Stream[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => openStream(url, wires[index % wires.length] ?? 'chat', words)),
  );
const statusOf = (url: string, path: string): Promise<number | string> =>
  send(url, { method: 'GET', path, headers: {} }).then(
    ({ status }) => status,
    ({ code }: NodeJS.ErrnoException) => code ?? 'broken',
  );
const statusSoon = async (url: string, path: string, ms = 20): Promise<number | string> => {
  await delay(ms);
  return statusOf(url, path);
};
const exchanges = (koine: KoineProcess) => koine.lines().filter(({ message }) => message === 'exchange');

for (const [what, workers] of [
  ['one process', 1],
  ['two workers', 2],
] as const) {
  describe(`a gateway that is stopped (${what})`, () => {
    let koine: KoineProcess;
    describe('with a hundred streams', () => {
      let streams: readonly Stream[] = [];
      before(async () => {
        koine = await startKoine(settingsOf(workers, { delay: '12s', timeout: '60s' }));
        streams = await openMixed(koine.url, 100, 'pace=400 words=35');
        koine.signal('SIGTERM');
      });
      after(() => koine?.end());

      it('reports not ready, and serves new connections during the delay', async () => {
        const latest = performance.now() + 10_000;
        let ready: number | string = 200;
        while (ready === 200 && performance.now() < latest) ready = await statusSoon(koine.adminUrl, '/readyz');
        expect(ready).to.equal(503);
        expect(await statusOf(koine.url, '/readyz')).to.equal(503);
        const late = await send(koine.url, { headers: goodHeaders, ...saying('chat', 'words=3', false) });
        expect([late.status, late.headers['connection']]).to.deep.equal([200, 'close']);
      });

      it('refuses reloads', async () => {
        for (let count = 0; count < 5; count += 1) koine.signal('SIGHUP');
        const { status } = await send(koine.adminUrl, {
          path: '/admin/reload',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        expect(status).to.equal(503);
      });

      it('lets all streams end, and exits with 0', async () => {
        let refused: number | string = 200;
        const deadline = performance.now() + 40_000;
        while (refused !== 'ECONNREFUSED' && performance.now() < deadline)
          refused = await statusSoon(koine.url, '/livez', 100);
        expect(refused).to.equal('ECONNREFUSED');

        const texts = await Promise.all(streams.map(async ({ wire, text }) => [wire, await text] as const));
        expect(
          texts.filter(([wire, text]) => !goodEnds[wire].test(text)).map(([wire, text]) => [wire, text.slice(-300)]),
        ).to.deep.equal([]);
        expect(await koine.exit).to.equal(0);
        expect(exchanges(koine).filter(({ outcome }) => outcome === 'ok')).to.have.length(101);
        expect(koine.lines().filter(({ message }) => String(message).includes('configuration'))).to.deep.equal([]);
      });
    });

    describe('with few connections', () => {
      afterEach(() => koine?.end());

      it('ends what exceeds the timeout: streams with an error in their wire, plain requests and those that are still being sent with 503', async () => {
        koine = await startKoine({
          ...settingsOf(workers, { delay: '0s', timeout: '500ms' }),
          accessLog: { start: true },
        });
        const streams = await openMixed(koine.url, 8, 'hang=after:2');
        const plain = wires.map((wire) =>
          send(koine.url, { headers: goodHeaders, ...saying(wire, 'delay=60000', false) }),
        );
        const half = wires.map((wire) => sendHalf(koine.url, wire));
        const all = streams.length + plain.length + half.length;
        await until(
          'all have begun',
          () => koine.lines().filter(({ message }) => message === 'exchange begins').length === all,
        );
        koine.signal('SIGTERM');
        for (const { wire, text } of streams) {
          const sent = await text;
          expect(sent.match(errorFrames[wire]) ?? [], sent).to.have.length(1);
          expect(sent).to.include('shutting down').and.not.to.match(goodEnds[wire]);
        }
        const replies = await Promise.all(plain);
        expect(replies.map(({ status }) => status)).to.deep.equal(wires.map(() => 503));
        for (const { wire, status, connection, text } of await Promise.all(half)) {
          expect([status, connection], wire).to.deep.equal([503, 'close']);
          expect(JSON.parse(text), wire).to.have.nested.property('error.message').that.includes('shutting down');
        }
        expect(await koine.exit).to.equal(0);
        expect(
          exchanges(koine).filter(({ ending, code }) => ending === 'drain' && code === 'shutting_down'),
        ).to.have.length(8);
        expect(exchanges(koine)).to.have.length(all);
        expect(
          exchanges(koine).filter(({ status, code }) => status === 503 && code === 'shutting_down'),
        ).to.have.length(plain.length + half.length);
      });

      it('does not wait for idle keep-alive connections', async () => {
        koine = await startKoine(settingsOf(workers, { delay: '0s', timeout: '60s' }));
        const agent = new Agent({ keepAlive: true });
        await new Promise<void>((resolve, reject) =>
          get(`${koine.url}/livez`, { agent }, (response) => response.resume().once('end', resolve)).once(
            'error',
            reject,
          ),
        );
        koine.signal('SIGTERM');
        expect(await koine.exit).to.equal(0);
        agent.destroy();
      });

      it('cuts clients that do not read the final error, and exits with 1', async () => {
        koine = await startKoine(settingsOf(workers, { delay: '0s', timeout: '200ms' }));
        const response = await new Promise<{ destroy(): void }>((resolve, reject) => {
          requestHttp(
            `${koine.url}/v1/chat/completions`,
            { method: 'POST', headers: goodHeaders, agent: false },
            (opened) => resolve(opened.pause()),
          )
            .once('error', reject)
            .end(
              JSON.stringify({
                model: MODEL,
                stream: true,
                messages: [{ role: 'user', content: 'Hi [[simulator words=200000]]' }],
              }),
            );
        });
        koine.signal('SIGTERM');
        expect(await koine.exit).to.equal(1);
        response.destroy();
      });

      it('exits with 0 when the signal comes during or right after startup', async () => {
        // From before the command handles signals to about the time when it serves.
        for (const pause of [300, 600, 900]) {
          koine = runKoine(settingsOf(workers, { delay: '0s', timeout: '60s' }));
          await delay(pause);
          koine.signal('SIGTERM');
          expect(await koine.exit, `after ${pause} ms`).to.be.oneOf([0, null]);
          expect(koine.stderr()).to.not.match(/error/i);
          await koine.end();
        }
      });
    });
  });
}
