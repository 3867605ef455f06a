import { expect } from 'chai';
import { breaks, breakStream } from '../../matrix/vendors/breaks.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import { pairOf, wires, type Wire } from '../../matrix/wires.ts';
import { callOf, greet, streamEnds } from '../../support/calls.ts';
import { failAt, modelOver, overTwo, refuse, startFailover, trailOf } from '../../support/failover-scene.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { modelIds, type Scene } from '../../support/scene.ts';

const faults: readonly (readonly [name: string, fail: Parameters<typeof failAt>[1], failure: string])[] = [
  ['500', refuse(500), 'transient'],
  ['503', refuse(503), 'overloaded'],
  ['529', refuse(529), 'overloaded'],
  ['504', refuse(504), 'timeout'],
  ['429', refuse(429), 'rate-limit'],
  ['402', refuse(402), 'quota'],
  ['a redirect', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'transient'],
  [
    'a page in the place of an answer',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'transient',
  ],
  [
    'an empty answer',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(),
    'transient',
  ],
  ['a reset', (response) => void response.socket?.resetAndDestroy(), 'transient'],
];

/** What a client that knows nothing of two targets expects. */
const expectGood = (client: Wire, reply: HttpReply, streamed: boolean): void => {
  expect(reply.status, reply.text).to.equal(200);
  expect(reply.text).to.include('Good');
  if (streamed) expect(reply.text).to.match(streamEnds[client]);
  expect(reply.text).to.not.match(/"error":\{/);
};

describe('failover to a target of another wire', () => {
  let scene: Scene;
  before(async () => {
    scene = await startFailover();
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const ask = async (
    client: Wire,
    model: string,
    stream: boolean,
  ): Promise<readonly [HttpReply, readonly string[]]> => {
    const before = scene.gateway.exchanges().length;
    const reply = await send(scene.gateway.url, callOf(client, model, { stream }));
    await scene.gateway.settled(before + 1);
    return [reply, trailOf(scene.gateway.exchanges()[before])];
  };

  for (const [name, fail, failure] of faults) {
    for (const stream of [false, true]) {
      it(`a request fails over after ${name}, ${stream ? 'streamed' : 'plain'}, for every client and every two wires`, async () => {
        for (const [first, second] of overTwo) {
          for (const client of wires) {
            scene.upstream.answer = failAt(first, fail);
            const [reply, trail] = await ask(client, modelOver(first, second), stream);
            expectGood(client, reply, stream);
            expect(trail, `${client}: ${first}, ${second}`).to.deep.equal([
              `${modelIds[first]} key-1 ${failure}`,
              `${modelIds[second]} key-1 ok`,
            ]);
            expect(reply.headers['x-koine-attempts']).to.equal('2');
            expect(reply.headers['x-koine-provider']).to.equal(modelIds[second].split('/')[0]);
          }
        }
      });
    }
  }

  for (const broken of breaks) {
    it(`a stream fails over after ${broken.name} behind its lifecycle frames, for every client and every two wires`, async () => {
      for (const [first, second] of overTwo) {
        for (const client of wires) {
          scene.upstream.answer = failAt(first, (response) => breakStream(broken, first, 'before content')(response));
          const [reply, trail] = await ask(client, modelOver(first, second), true);
          expectGood(client, reply, true);
          expect(trail).to.have.length(2);
        }
      }
    });
  }

  for (const client of wires) {
    it(`no failover happens after content was sent: ${client}`, async () => {
      const [broken] = breaks;
      for (const [first, second] of overTwo) {
        scene.upstream.calls.length = 0;
        scene.upstream.answer = failAt(
          first,
          (response) => broken && breakStream(broken, first, 'after content')(response),
        );
        const [reply, trail] = await ask(client, modelOver(first, second), true);
        expect(reply.text).to.not.match(streamEnds[client]);
        expect(scene.upstream.calls).to.have.length(1);
        expect(trail).to.have.length(1);
      }
    });
  }

  const weather = { type: 'object', properties: { city: { type: 'string' } } };
  const tools: Readonly<Record<Wire, object>> = {
    chat: { n: 2, tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather } }] },
    messages: { tools: [{ name: 'get_weather', input_schema: weather }] },
    responses: { tools: [{ type: 'function', name: 'get_weather', parameters: weather }] },
    google: {
      tools: [
        {
          functionDeclarations: [
            { name: 'get_weather', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } },
          ],
        },
      ],
    },
  };
  for (const client of wires) {
    it(`the second target receives what it would receive as the first, tools and several choices included: ${client}`, async () => {
      const bodiesOf = async (model: string, answering: Wire): Promise<readonly unknown[]> => {
        scene.upstream.calls.length = 0;
        const reply = await send(
          scene.gateway.url,
          callOf(client, model, { more: tools[client] as Record<string, unknown> }),
        );
        expect(reply.status, reply.text).to.equal(200);
        return scene.upstream.calls
          .filter(({ path }) =>
            path.includes({ chat: 'chat', messages: 'messages', responses: 'responses', google: 'v1beta' }[answering]),
          )
          .map(({ body, raw }) => [raw.toString(), body]);
      };
      for (const [first, second] of overTwo) {
        scene.upstream.answer = greet;
        const alone = await bodiesOf(modelIds[second], second);
        scene.upstream.answer = failAt(first, refuse(500));
        expect(await bodiesOf(modelOver(first, second), second), pairOf(first, second)).to.deep.equal(alone);
        if (client === 'chat' && second === 'messages') expect(alone, 'a call for each choice').to.have.length(2);
      }
    });
  }

  it('a caller’s mistake is not retried and returns the vendor’s error', async () => {
    scene.upstream.answer = failAt(
      'chat',
      refuse(422, { error: { message: 'Unprocessable.', type: 'invalid_request_error', param: null, code: null } }),
    );
    const [reply, trail] = await ask('chat', modelOver('chat', 'messages'), false);
    expect(reply.status).to.equal(422);
    expect(reply.text).to.include('Unprocessable.');
    expect(trail).to.deep.equal([`${modelIds.chat} key-1 caller-fault`]);
  });

  it('when all targets fail the client gets the last failure in its wire, and its SDK does not retry', async () => {
    for (const client of wires) {
      scene.upstream.answer = (response) => refuse(503)(response);
      const [reply, trail] = await ask(client, modelOver('chat', 'messages'), false);
      expect(reply.status).to.be.oneOf([503, 529]);
      expect(reply.headers['x-should-retry']).to.equal('false');
      expect(trail).to.have.length(2);
      expect(reply.text).to.not.include('anthropic/').and.not.include('openai/');
    }
  });

  it('a response after failover has the shape of a direct response', async () => {
    scene.upstream.answer = failAt('chat', refuse(500));
    const [reply] = await ask('messages', modelOver('chat', 'messages'), true);
    expect(reply.headers['x-koine-lane']).to.equal('native');
    expect(reply.text).to.equal(textOf('messages', 'streamed', goodDay));
  });
});
