import { expect } from 'chai';
import { startCountedGateway, type CountedGateway } from '../../doubling/counted-gateway.ts';
import { idOf } from '../../matrix/catalog.ts';
import { pairOf, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { callOf, greet, headOf, pathOf } from '../../support/calls.ts';
import { send, type HttpReply, type HttpRequest } from '../../support/http.ts';
import { growingConversations, wideConversations } from './long-conversations.ts';
import { readRefusal } from '../../support/refusals.ts';
import { MESSAGES, modelIds, startScene, type Scene } from '../../support/scene.ts';

/** Every wire is read once and written once. */
const targets: Readonly<Record<Wire, Wire>> = {
  chat: 'google',
  messages: 'responses',
  responses: 'messages',
  google: 'chat',
};

/** The first length of a conversation; it is doubled twice. */
const LENGTH = 200;

const bodyOf = (client: Wire, model: string, body: Json): HttpRequest => ({
  path: pathOf(client, model),
  body: JSON.stringify({ ...headOf(client, model), ...body }),
});

describe('a conversation that grows, translated', () => {
  let gateway: CountedGateway;
  before(async () => {
    gateway = await startCountedGateway();
    gateway.upstream.answer = greet;
    // What a target needs is prepared when it is first used.
    for (const client of wires) await send(gateway.url, callOf(client, idOf(targets[client])));
  });
  after(() => gateway.stop());

  for (const client of wires) {
    const wire = targets[client];
    for (const [title, at] of Object.entries(growingConversations(client))) {
      it(`a heavy request succeeds and costs in proportion: ${title}, ${pairOf(client, wire)}`, async () => {
        const found = await gateway.findSuperlinear(async (run) => {
          const { status, text } = await send(gateway.url, bodyOf(client, idOf(wire), at(LENGTH * 2 ** run)));
          expect(status, text.slice(0, 500)).to.equal(200);
        });
        expect(found).to.deep.equal([]);
      });
    }
  }
});

describe('a conversation with long lists, translated', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const post = (client: Wire, model: string, body: Json): Promise<HttpReply> =>
    send(scene.gateway.url, bodyOf(client, model, body));

  for (const client of wires) {
    for (const [title, body] of Object.entries(wideConversations(client))) {
      const wire = targets[client];
      it(`a heavy request succeeds: ${title}, ${pairOf(client, wire)}`, async () => {
        const { status, text } = await post(client, modelIds[wire], body);
        expect(status, text.slice(0, 500)).to.equal(200);
      });
    }
  }

  it('arguments nested too deep are carried as text', async () => {
    const depth = 10_000;
    const deep = {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}` },
    };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [deep] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    const answer = await post('chat', MESSAGES, { messages });
    expect(answer.status).to.equal(200);
    expect(answer.headers['x-koine-losses']).to.contain('approximated');
  });

  it('a conversation without any content is refused', async () => {
    const refusal = readRefusal(await post('chat', MESSAGES, { messages: [{ role: 'user', content: '' }] }), 'chat');
    expect(refusal.param).to.equal('messages');
  });
});
