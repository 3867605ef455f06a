import { expect } from 'chai';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { pairOf, type Wire } from '../../matrix/wires.ts';
import { callOf } from '../../support/calls.ts';
import { createGauge, flood, longPieces, shortPieces, type FloodSize } from '../../support/flood.ts';
import { goodHeaders } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

/** Kernel buffers of three sockets and what the gateway holds: far less than what is on its way. */
const BOUND = 24 * 1_048_576;
/** Each wire on the native lane, and each as client and as upstream on the other. */
const pairs: readonly (readonly [client: Wire, wire: Wire, size: FloodSize])[] = [
  ['chat', 'chat', longPieces],
  ['messages', 'messages', longPieces],
  ['responses', 'responses', longPieces],
  ['google', 'google', longPieces],
  ['chat', 'responses', shortPieces],
  ['messages', 'chat', longPieces],
  ['responses', 'google', shortPieces],
  ['google', 'messages', shortPieces],
];

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The figure after a second without change: a machine under load takes longer to fill the buffers. */
const untilStill = async (figure: () => number): Promise<number> => {
  for (;;) {
    const before = figure();
    await wait(1_000);
    if (before > 0 && figure() === before) return before;
  }
};

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
      requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false }, resolve)
        .once('error', reject)
        .end(body);
    });

  for (const [client, wire, size] of pairs) {
    it(`a client that stops reading stalls the upstream, and loses nothing: ${pairOf(client, wire)}`, async () => {
      const written = { bytes: 0 };
      scene.upstream.answer = (response) => flood(response, wire, written, size);
      const logged = scene.gateway.exchanges().length;
      const response = await open(client, wire);
      response.pause();
      const stalledAt = await untilStill(() => written.bytes);
      expect(stalledAt).to.be.below(BOUND);

      const gauge = createGauge(size);
      response.setEncoding('utf8').on('data', gauge.add);
      response.resume();
      await once(response, 'end');
      expect(stalledAt, 'nothing was held up').to.be.below(written.bytes * 0.75);
      expect(gauge.found.length).to.equal(size.pieces);
      expect(gauge.found.every((index, position) => index === position)).to.equal(true);
      await scene.gateway.settled(logged + 1);
      expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'ok', ending: 'complete' });
    });
  }

  for (const client of ['messages', 'google'] as const) {
    it(`a ${client} client that leaves while it is not reading releases the upstream`, async () => {
      const written = { bytes: 0 };
      scene.upstream.answer = (response) => flood(response, 'chat', written);
      const { count } = scene.upstream.cut;
      const logged = scene.gateway.exchanges().length;
      const response = await open(client, 'chat');
      response.pause();
      await wait(300);
      response.destroy();
      await scene.gateway.settled(logged + 1);
      await until('the upstream is cut', () => scene.upstream.cut.count === count + 1);
      expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'client_closed' });
    });
  }
});
