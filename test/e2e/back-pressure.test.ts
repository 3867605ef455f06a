import { expect } from 'chai';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { pairOf, type Wire } from '../matrix/wires.ts';
import { callOf } from './calls.ts';
import { createGauge, flood, PIECES, TOTAL } from './flood.ts';
import { goodHeaders } from './http.ts';
import { modelIds, startScene, type Scene } from './scene.ts';

/** Kernel buffers of three sockets and what the gateway holds: far less than the 60 MB that are on their way. */
const BOUND = 24 * 1_048_576;
/** Each wire on the native lane, and each as client and as upstream on the other. */
const pairs: readonly (readonly [client: Wire, wire: Wire])[] = [
  ['chat', 'chat'],
  ['messages', 'messages'],
  ['responses', 'responses'],
  ['google', 'google'],
  ['chat', 'responses'],
  ['messages', 'chat'],
  ['responses', 'google'],
  ['google', 'messages'],
];

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('back-pressure', () => {
  let scene: Scene;
  before(async () => {
    // Life signs are written all the time: a stalled client must not make them pile up.
    scene = await startScene({ stream: { openAfter: '4s', keepaliveEvery: '10ms' } });
  });
  after(() => scene.stop());

  const open = (client: Wire, wire: Wire): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { path, body } = callOf(client, modelIds[wire], { stream: true });
      requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false }, resolve).once('error', reject).end(body);
    });

  for (const [client, wire] of pairs) {
    it(`a client that stops reading stalls the upstream, and loses nothing: ${pairOf(client, wire)}`, async () => {
      const written = { bytes: 0 };
      scene.upstream.answer = (response) => flood(response, wire, written);
      const logged = scene.gateway.exchanges().length;
      const response = await open(client, wire);
      response.pause();
      await wait(600);
      const stalledAt = written.bytes;
      await wait(300);
      expect(written.bytes, 'the upstream goes on writing').to.equal(stalledAt);
      expect(stalledAt).to.be.below(BOUND).and.below(TOTAL / 2);

      const gauge = createGauge();
      response.setEncoding('utf8').on('data', gauge.add);
      response.resume();
      await once(response, 'end');
      expect(gauge.found.length).to.equal(PIECES);
      expect(gauge.found.every((index, position) => index === position)).to.equal(true);
      await scene.gateway.settled(logged + 1);
      expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'ok', ending: 'complete' });
    });
  }

  for (const client of ['messages', 'google'] as const) {
    it(`a client of ${client} that leaves while it is not reading frees the upstream`, async () => {
      const written = { bytes: 0 };
      scene.upstream.answer = (response) => flood(response, 'chat', written);
      const { count } = scene.upstream.cut;
      const logged = scene.gateway.exchanges().length;
      const response = await open(client, 'chat');
      response.pause();
      await wait(300);
      response.destroy();
      await scene.gateway.settled(logged + 1);
      await wait(50);
      expect(scene.upstream.cut.count).to.equal(count + 1);
      expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'client_closed' });
    });
  }
});
