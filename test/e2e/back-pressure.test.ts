import { expect } from 'chai';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { goodHeaders } from './http.ts';
import { CHAT, startScene, type Scene } from './scene.ts';

const FRAMES = 30_000;
const filling = 'x'.repeat(2_000);
const frameOf = (index: number): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: `<${index}>${filling}` }, finish_reason: null }] })}\n\n`;
const END = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
const TOTAL = FRAMES * frameOf(0).length;
/** Kernel buffers of three sockets and what the gateway holds: far less than the 60 MB that are on their way. */
const BOUND = 24 * 1_048_576;

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The response takes more, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });

describe('back-pressure', () => {
  let scene: Scene;
  before(async () => {
    // Life signs are written all the time: a stalled client must not make them pile up.
    scene = await startScene({ stream: { openAfter: '4s', keepaliveEvery: '10ms' } });
  });
  after(() => scene.stop());

  /** Writes as fast as the gateway takes it. */
  const flood = (written: { bytes: number }) => async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let index = 0; index < FRAMES; index += 1) {
      const frame = frameOf(index);
      written.bytes += frame.length;
      if (!response.write(frame)) await drained(response);
      if (response.destroyed) return;
    }
    response.end(END);
  };

  const open = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false }, resolve).once('error', reject);
      request.end(JSON.stringify({ model: CHAT, max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    });

  for (const [lane, path] of [
    ['native', '/v1/chat/completions'],
    ['translated', '/v1/messages'],
  ] as const) {
    it(`a client that stops reading stalls the upstream, and loses nothing (${lane})`, async function () {
      this.timeout(30_000);
      const written = { bytes: 0 };
      scene.upstream.answer = flood(written);
      const response = await open(path);
      response.pause();
      await wait(600);
      const stalledAt = written.bytes;
      await wait(400);
      expect(written.bytes, 'the upstream goes on writing').to.equal(stalledAt);
      expect(stalledAt).to.be.below(BOUND).and.below(TOTAL / 2);

      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.resume();
      await once(response, 'end');
      const seen = [...text.matchAll(/<(\d+)>x{2000}"/g)].map(([, index]) => Number(index));
      expect(seen.length).to.equal(FRAMES);
      expect(seen.every((index, position) => index === position)).to.equal(true);
      expect(text).to.match(lane === 'native' ? /data: \[DONE\]\n\n$/ : /event: message_stop\n.*\n\n$/);
    });
  }

  it('a client that leaves while it is not reading frees the upstream', async () => {
    const written = { bytes: 0 };
    scene.upstream.answer = flood(written);
    const { count } = scene.upstream.cut;
    const logged = scene.gateway.exchanges().length;
    const response = await open('/v1/messages');
    response.pause();
    await wait(300);
    response.destroy();
    await scene.gateway.settled(logged + 1);
    await wait(50);
    expect(scene.upstream.cut.count).to.equal(count + 1);
    expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'client_closed' });
  });
});
