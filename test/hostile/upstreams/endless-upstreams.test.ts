import { expect } from 'chai';
import { createServer, type AddressInfo } from 'node:net';
import { callOf, greet, streamEnds } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { pairOf, type Mode, type Wire } from '../../matrix/wires.ts';
import { hoarding, pour, silent, talkative, type Endless } from '../support/endless-answers.ts';

const MB = 1_048_576;
/** What the socket buffers of the loopback hold while nothing is read: some 6 MB on each side. */
const SOCKETS = 16 * MB;
/** Far more than is read of any response. */
const ENDLESS = 400 * MB;
/** Most that the process is allowed to grow meanwhile; keeping the flood would take several times as much. */
const GROWTH = 450 * MB;

/** A client of another wire, for the translated lane. */
const foreign: Readonly<Record<Wire, Wire>> = {
  chat: 'messages',
  messages: 'responses',
  responses: 'google',
  google: 'chat',
};

describe('an upstream that never stops sending', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  /** One call with an endless response, and how much of it was read. */
  const endure = async (
    client: Wire,
    { wire, opening, piece }: Endless,
  ): Promise<{ readonly reply: HttpReply; readonly taken: number; readonly grown: number }> => {
    const poured = Promise.withResolvers<number>();
    let highest = 0;
    scene.upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(opening);
      pour(response, ENDLESS, piece).then(poured.resolve, poured.reject);
    };
    const before = process.memoryUsage().rss;
    const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
    const { path, body } = callOf(client, modelIds[wire], { stream: true });
    const reply = await send(scene.gateway.url, { path, body });
    const taken = await poured.promise;
    clearInterval(timer);
    return { reply, taken, grown: Math.max(highest, process.memoryUsage().rss) - before };
  };
  const clientsOf = (wire: Wire): readonly Wire[] => [wire, foreign[wire]];

  describe('before any content', () => {
    for (const endless of silent) {
      for (const client of clientsOf(endless.wire)) {
        it(`gives up after a megabyte without content: ${endless.name}, ${pairOf(client, endless.wire)}`, async () => {
          const { reply, taken, grown } = await endure(client, endless);
          expect(reply.status).to.be.oneOf([500, 502]);
          expect(reply.text).to.match(/too much before any content|could not be read|longer than|more text or parts/);
          expect(taken).to.be.below(MB + SOCKETS);
          expect(grown).to.be.below(GROWTH);
        });
      }
    }
  });

  describe('after content', () => {
    for (const endless of talkative) {
      for (const client of clientsOf(endless.wire)) {
        it(`ends with an error after 64 MB of content: ${endless.name}, ${pairOf(client, endless.wire)}`, async () => {
          const { reply, taken } = await endure(client, endless);
          expect(reply.status).to.equal(200);
          expect(/longer than 64 MB|more text or parts/.test(reply.text), reply.text.slice(-2_000)).to.equal(true);
          expect(taken).to.be.below(64 * MB + SOCKETS);
        });
      }
    }
  });

  describe('in a translation', () => {
    for (const endless of hoarding) {
      const client = foreign[endless.wire];
      it(`ends a stream if a translation would have to buffer too much: ${endless.name}, ${pairOf(client, endless.wire)}`, async () => {
        const { reply, taken, grown } = await endure(client, endless);
        expect(reply.status).to.equal(200);
        expect(reply.text.includes('more text or parts'), reply.text.slice(-2_000)).to.equal(true);
        expect(taken).to.be.below(40 * MB + SOCKETS);
        expect(grown).to.be.below(GROWTH);
      });
    }
  });

  describe('in a plain response', () => {
    const plain: readonly (readonly [name: string, status: number, piece: string, most: number])[] = [
      ['text', 200, 'x'.repeat(1_000), 64 * MB],
      ['lists', 200, '[],'.repeat(400), 64 * MB],
      ['an error', 500, 'x'.repeat(1_000), MB],
    ];
    for (const [name, status, piece, most] of plain) {
      for (const client of ['chat', 'messages'] as const) {
        it(`reads at most ${most / MB} MB of a plain response: ${name}, ${pairOf(client, 'chat')}`, async () => {
          const poured = Promise.withResolvers<number>();
          scene.upstream.answer = (response) => {
            response
              .writeHead(status, { 'content-type': 'application/json' })
              .write(name === 'lists' ? '[' : '{"error": "');
            pour(response, ENDLESS, () => piece).then(poured.resolve, poured.reject);
          };
          const { path, body } = callOf(client, modelIds.chat);
          const reply = await send(scene.gateway.url, { path, body });
          expect(reply.status).to.be.within(500, 502);
          expect(await poured.promise).to.be.below(most + SOCKETS);
        });
      }
    }

    for (const mode of ['plain', 'streamed'] as const satisfies readonly Mode[]) {
      it(`refuses a plain response of nested lists before it is parsed, ${mode}`, async () => {
        const lists = `{"choices":[${'[],'.repeat(mode === 'plain' ? 10_000_000 : 2_000_000)}[]]}`;
        scene.upstream.answer = (response) =>
          void response
            .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
            .end(mode === 'plain' ? lists : `${framesBeforeLists}data: ${lists}\n\n`);
        const { path, body } = callOf('messages', modelIds.chat, { stream: mode === 'streamed' });
        const reply = await send(scene.gateway.url, { path, body });
        expect(reply.text).to.match(/more lists and objects/);
      });
    }
  });

  it('tries the next target if an endless stream fails before content', async () => {
    const own = await startScene({
      plugins: [{ use: 'auth' }, { use: 'failover' }],
      models: {
        'two/targets': {
          targets: [
            { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
            { provider: 'anthropic', model: 'claude-sonnet-4-5' },
          ],
        },
      },
    });
    own.upstream.answer = (response, call) => {
      if (call.path !== '/v1/chat/completions') return greet(response, call);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return pour(response, ENDLESS, () => ': still there\n\n').then(() => undefined);
    };
    for (const client of ['chat', 'messages'] as const) {
      const { path, body } = callOf(client, 'two/targets', { stream: true });
      const reply = await send(own.gateway.url, { path, body });
      expect(reply.status).to.equal(200);
      expect(reply.text).to.match(streamEnds[client]);
    }
    await own.stop();
  });

  it('ends a call without a response body by the first-byte deadline, and leaks nothing', async () => {
    let written = 0;
    const server = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          const more = (): void => {
            while (!socket.destroyed && written < ENDLESS) {
              written += 52;
              if (!socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n`))
                return void socket.once('drain', more);
            }
          };
          more();
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = await startScene({
      providers: {
        openai: {
          use: 'openai',
          config: {
            apiKey: 'upstream-secret',
            baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
          },
          timeouts: { firstByte: '500ms' },
        },
      },
      models: { 'openai/gpt-4.1': { targets: [{ provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' }] } },
    });
    const before = process.memoryUsage().rss;
    const { path, body } = callOf('chat', 'openai/gpt-4.1');
    const reply = await send(own.gateway.url, { path, body });
    expect(reply.status).to.be.within(502, 504);
    expect(process.memoryUsage().rss - before).to.be.below(GROWTH);
    await own.stop();
    server.close();
  });
});

const framesBeforeLists = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Good' } }] })}\n\n`;
