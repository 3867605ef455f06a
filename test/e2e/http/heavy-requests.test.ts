import { expect } from 'chai';
import { pairOf, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { greet, headOf, pathOf } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { longConversations } from './long-conversations.ts';
import { readRefusal } from '../../support/refusals.ts';
import { MESSAGES, modelIds, startScene, type Scene } from '../../support/scene.ts';

/** Every wire is read once and written once. */
const targets: Readonly<Record<Wire, Wire>> = {
  chat: 'google',
  messages: 'responses',
  responses: 'messages',
  google: 'chat',
};

/** A linear walk takes milliseconds here, a quadratic one many seconds: the timeout of the test separates them. */
describe('a long conversation, translated', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const post = (client: Wire, model: string, body: Json): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: pathOf(client, model),
      body: JSON.stringify({ ...headOf(client, model), ...body }),
    });

  for (const client of wires) {
    for (const [title, body] of Object.entries(longConversations(client))) {
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
