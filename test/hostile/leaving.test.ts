import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { untilText } from '../matrix/vendors/breaks.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { framesOf } from '../matrix/vendors/vendors.ts';
import { pairOf, wires, type Wire } from '../matrix/wires.ts';
import { callOf, streamEnds, wireAt } from '../support/calls.ts';
import { until } from '../support/until.ts';
import { goodHeaders } from '../support/http.ts';
import { modelIds } from '../support/scene.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

/** Each wire on the native lane, and each as client and as upstream on the translated lane. */
const pairs: readonly (readonly [client: Wire, wire: Wire])[] = wires.flatMap((client, index) => [
  [client, client] as const,
  [client, wires[(index + 1) % wires.length] ?? client] as const,
]);

describe('the charge of a client that leaves before the usage is known', () => {
  let scene: WatchedScene;
  before(async () => {
    scene = await startWatched();
  });
  afterEach(() => scene.check());
  after(() => scene.stop());

  /** Sends a request, hangs up at the given time, and returns the outcome of the exchange. */
  const leave = async (client: Wire, wire: Wire, stream: boolean, isTime: (received: string) => boolean) => {
    const known = new Set(scene.outcomes.keys());
    let received = '';
    const { path, body } = callOf(client, modelIds[wire], { stream });
    const request = requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    request
      .on('error', () => {})
      .on('response', (response) => {
        response
          .on('error', () => {})
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            received += chunk;
          });
      });
    request.end(body);
    await until('the moment to leave', () => isTime(received));
    request.destroy();
    const settled = () => [...scene.outcomes].find(([id]) => !known.has(id))?.[1][0];
    await until('it is settled', () => settled() !== undefined);
    return settled();
  };

  for (const [client, wire] of pairs) {
    for (const stream of [true, false]) {
      // Gemini 2.5 reasons, so the reserved output is charged too, which is its cap of 100.
      const output = wire === 'google' ? 100 : 0;
      it(`charges the estimated input${output > 0 ? ' and the cap' : ''} before a response (${pairOf(client, wire)}, ${stream ? 'streamed' : 'plain'})`, async () => {
        const { count } = scene.upstream.cut;
        const calls = scene.upstream.calls.length;
        scene.upstream.answer = () => {};
        const outcome = await leave(client, wire, stream, () => scene.upstream.calls.length > calls);
        expect(outcome).to.include({ result: 'client_closed', status: 499 });
        expect(outcome?.usage).to.include({ source: 'estimated', output });
        expect(outcome?.usage?.inputUncached).to.be.above(0);
        await until('the upstream is cut off, once it has been read on', () => scene.upstream.cut.count === count + 1);
      });
    }

    it(`charges estimated input and delivered output if the client leaves a stream in the middle (${pairOf(client, wire)})`, async () => {
      const { count } = scene.upstream.cut;
      scene.upstream.answer = (response, { path }) => {
        const spoken = wireAt(path);
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(framesOf(spoken, goodDay).slice(0, untilText[spoken]).join(''));
      };
      const outcome = await leave(client, wire, true, (received) => received !== '');
      expect(outcome).to.include({ result: 'client_closed', status: 200 });
      expect(outcome?.usage?.source).to.equal('estimated');
      expect(outcome?.usage?.output).to.be.above(0);
      expect(outcome?.usage?.inputUncached).to.be.above(0);
      await until('the upstream is cut off, once it has been read on', () => scene.upstream.cut.count === count + 1);
    });

    it(`charges what the provider reported if the client leaves right after the last byte (${pairOf(client, wire)})`, async () => {
      scene.upstream.answer = (response, { path }) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(framesOf(wireAt(path), goodDay).join(''));
      const outcome = await leave(client, wire, true, (received) => streamEnds[client].test(received));
      expect(outcome).to.include({ result: 'ok', status: 200 });
      expect(outcome?.usage?.source).to.equal('provider');
      expect(outcome?.ending?.reason).to.equal('complete');
    });
  }
});
