import { expect } from 'chai';
import { aimockKinds, modelOf, safeModelOf, startAimockScene, type AimockScene, type Fault } from './aimock-scene.ts';
import { bodyOf, userTurn } from '../../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { headOf, pathOf, streamEnds } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';

/** Faults before the response has begun. */
const early = ['drop', 'malformed', 'rateLimit', 'disconnect'] as const;

/** Of one client with one kind of target. */
const EXCHANGES = 3 * early.length + 2;

/** The status of a fault that is not a 429. */
const badGateway: Readonly<Record<Wire, number>> = { chat: 502, responses: 502, messages: 500, google: 500 };

/** The error of a plain response, in the shape of each wire. */
const readError: Readonly<Record<Wire, (body: Json) => unknown>> = {
  chat: ({ error }) => (error as Json)['message'],
  responses: ({ error }) => (error as Json)['message'],
  messages: ({ type, error }) => type === 'error' && (error as Json)['message'],
  google: ({ error }) => typeof (error as Json)['code'] === 'number' && (error as Json)['message'],
};
/** An error event at the end of a stream. */
const errorEnds: Readonly<Record<Wire, RegExp>> = {
  chat: /data: \{"error":\{[^\n]*\n\n(?:data: \[DONE\]\n\n)?$/,
  messages: /event: error\ndata: \{"type":"error"[^\n]*\n\n$/,
  responses: /"type":"response\.failed"[^\n]*\n\n$/,
  google: /data: \{"error":\{[^\n]*(?:\r\n|\n){2}$/,
};

describe('an upstream by aimock that fails', function () {
  this.timeout(60_000);
  let scene: AimockScene;
  before(async () => {
    scene = await startAimockScene();
  });
  after(() => scene?.stop());

  const ask = async (client: Wire, model: string, fault: Fault, stream = true): Promise<HttpReply> => {
    const since = scene.gateway.exchanges().length;
    const body = { ...bodyOf(client, [userTurn[client](`Fault: ${fault}`)]), ...headOf(client, model, stream) };
    const reply = await send(scene.gateway.url, { path: pathOf(client, model, stream), body: JSON.stringify(body) });
    await scene.gateway.settled(since + 1);
    return reply;
  };
  const expectWhole = (client: Wire, { status, text }: HttpReply): void => {
    expect(status, text).to.equal(200);
    expect(text).to.match(streamEnds[client]);
  };

  for (const client of wires)
    for (const { name } of aimockKinds)
      describe(`behind a ${name} target, for a ${client} client`, () => {
        let since = 0;
        before(() => (since = scene.gateway.exchanges().length));

        for (const fault of early) {
          for (const stream of [false, true])
            it(`${fault}, ${stream ? 'streamed' : 'plain'}: an error in the wire of the client`, async () => {
              const reply = await ask(client, modelOf(name), fault, stream);
              expect(reply.status, reply.text).to.equal(fault === 'rateLimit' ? 429 : badGateway[client]);
              expect(readError[client](JSON.parse(reply.text) as Json)).to.be.a('string');
            });
          it(`${fault}: the other target answers`, async () => {
            expectWhole(client, await ask(client, safeModelOf(name), fault));
            // One that has failed often, or named a time, is not tried for a while.
            const attempts = scene.gateway.exchanges().at(-1)?.['attempts'] as readonly Json[];
            expect(attempts.at(-1)).to.include({ provider: 'healthy', outcome: 'ok' });
          });
        }
        it('slow: a whole response', async () => {
          expectWhole(client, await ask(client, modelOf(name), 'slow'));
        });
        it('truncated: an error ends the stream', async () => {
          const reply = await ask(client, modelOf(name), 'truncated');
          expect(reply.status, reply.text).to.equal(200);
          expect(reply.text).to.match(errorEnds[client]);
          expect(reply.text).to.not.match(streamEnds[client]);
        });

        it('all exchanges are settled once', async () => {
          expect(scene.gateway.exchanges().length - since).to.equal(EXCHANGES);
          await scene.expectSettled(since);
        });
      });
});
