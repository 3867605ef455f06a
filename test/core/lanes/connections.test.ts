import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readError, send } from '../../support/http.ts';
import { CHAT, startScene, type Scene } from '../../support/scene.ts';
import { chatFrames } from '../../matrix/vendors/vendor-chat.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { someTokens } from '../../matrix/wires.ts';
import { until } from '../../support/until.ts';

const frames = chatFrames(goodDay.chat, someTokens);
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('connections to a provider', () => {
  let scene: Scene;
  let sockets: Set<Socket>;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());
  beforeEach(() => {
    sockets = new Set();
  });

  const answerWith = (answer: (response: ServerResponse) => void): void => {
    scene.upstream.answer = (response) => {
      if (response.socket !== null) sockets.add(response.socket);
      answer(response.writeHead(200, { 'content-type': 'text/event-stream' }));
    };
  };
  const paths = { native: '/v1/chat/completions', translated: '/v1/messages' } as const;
  const ask = (lane: keyof typeof paths) =>
    send(scene.gateway.url, {
      path: paths[lane],
      body: JSON.stringify({ model: CHAT, stream: true, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
    });

  for (const lane of ['native', 'translated'] as const) {
    it(`reuses a connection for the next stream on the ${lane} lane, although its body ends late`, async () => {
      answerWith((response) => {
        response.write(frames.join(''));
        setTimeout(() => response.end(), 20);
      });
      for (let call = 0; call < 4; call += 1) {
        const reply = await ask(lane);
        expect([reply.status, reply.headers['x-koine-lane']]).to.deep.equal([200, lane]);
        await wait(60);
      }
      expect(sockets.size).to.equal(1);
    });

    it(`drops a connection at once after a failure on the ${lane} lane, although the upstream continues`, async () => {
      answerWith(
        (response) =>
          void response.write(
            `${frames.slice(0, 2).join('')}data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`,
          ),
      );
      const { text } = await ask(lane);
      expect(text).to.include('overloaded');
      const [socket] = sockets;
      await until('the connection is closed', () => socket?.destroyed === true);
    });

    it(`drops a connection at once after an error before content on the ${lane} lane`, async () => {
      answerWith(
        (response) => void response.write('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'),
      );
      expect((await ask(lane)).status).to.be.within(500, 599);
      const [socket] = sockets;
      await until('the connection is closed', () => socket?.destroyed === true);
    });
  }

  it('refuses a plain response of more than 64 MB', async () => {
    const piece = Buffer.alloc(1_048_576, 0x20);
    scene.upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let count = 0; count < 80; count += 1) response.write(piece);
      response.end('{}');
    };
    const body = JSON.stringify({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }] });
    const cut = scene.upstream.cut.count;
    const reply = await send(scene.gateway.url, { path: paths.native, body });
    expect([reply.status, readError(reply).error.message]).to.deep.equal([
      502,
      'The response of the provider is longer than 64 MB.',
    ]);
    await until('the rest is not taken', () => scene.upstream.cut.count === cut + 1);
  });
});
