import { expect } from 'chai';
import { send, type HttpReply } from '../support/http.ts';
import { answerStrictly } from '../support/strict-vendors/answers.ts';
import { findRefusal, rules } from '../support/strict-vendors/index.ts';
import { formatRequest } from '../support/strict-vendors/format.ts';
import { loopRequest, type LoopRequest, type Thinking } from '../support/strict-vendors/loop.ts';
import { idOf, startStrictScene, targets, type StrictScene, type Target } from '../support/strict-vendors/targets.ts';
import { answerJson } from '../support/upstream.ts';
import { wires, type Wire } from './wires.ts';

const ownWire: Readonly<Record<string, readonly Wire[]>> = {
  anthropic: ['messages'],
  bedrock: ['messages'],
  google: ['google'],
  openai: ['chat', 'responses'],
  openrouter: ['chat', 'messages'],
  cohere: [],
  ollama: [],
};
/** Also a client of Google's other wire: schemas are in the same dialect. */
const isNative = (client: Wire, { provider, wire }: Target): boolean =>
  (wire === 'interactions' ? ['google'] : (ownWire[provider] ?? ['chat'])).includes(client);

const pathOf: Readonly<Record<Wire, (id: string) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  google: (id) => `/v1beta/models/${id}:generateContent`,
};

describe('loops of tools against vendors that refuse what their pages say', () => {
  let scene: StrictScene;
  before(async () => {
    scene = await startStrictScene();
  });
  after(() => scene.stop());

  const post = (client: Wire, target: Target, body: LoopRequest): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: pathOf[client](idOf(target)),
      body: JSON.stringify(client === 'google' ? body : { model: idOf(target), ...body }),
    });

  it('the table has at least 60 rules, each with a source and an example that it refuses', () => {
    expect(rules.length).to.be.at.least(60);
    for (const { at, what, page, refuses, models, example } of rules) {
      expect(page, what).to.match(/^https:\/\//);
      expect([refuses(example.body), models?.test(example.model) !== false], `${at}: ${what}`).to.deep.equal([
        true,
        true,
      ]);
      expect(findRefusal(at, example), `${at}: ${what}`).to.not.equal(undefined);
    }
  });

  for (const target of targets) {
    for (const client of wires) {
      for (const thinking of ['unset', 'limited', 'off'] satisfies readonly Thinking[])
        it(`${idOf(target)} takes four steps of a ${client} client with thinking ${thinking}`, async () => {
          for (const step of [0, 1, 2, 3]) {
            const reply = await post(
              client,
              target,
              loopRequest(client, step, { thinking, images: target.blind !== true }),
            );
            expect(reply.status, `step ${step}: ${reply.text}`).to.equal(200);
          }
        });

      // On its own wire a client gets what the vendor says to it.
      if (!isNative(client, target))
        it(`${idOf(target)} takes the schema of a ${client} client`, async () => {
          const reply = await post(client, target, formatRequest(client));
          expect(reply.status, reply.text).to.equal(200);
        });
    }
  }

  it('the id of a call at Kimi can be sent to Claude, and returns to Kimi as it was', async () => {
    const id = 'functions.look_up:0';
    const call = { id, type: 'function', function: { name: 'look_up', arguments: '{}' } };
    scene.upstream.answer = (response) =>
      answerJson(response, {
        id: 'a',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [
          { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
        ],
      });
    const [kimi, claude] = [
      { provider: 'moonshot', model: 'kimi-k2.6' },
      { provider: 'anthropic', model: 'claude-opus-5' },
    ];
    const question = loopRequest('messages', 0, { thinking: 'off', images: false });
    const first = JSON.parse((await post('messages', kimi, question)).text) as {
      readonly content: readonly { id: string }[];
    };
    scene.upstream.answer = (response, call) => void answerStrictly(response, call);
    const messages = [
      ...(question['messages'] as readonly object[]),
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: first.content.at(-1)?.id, content: 'Sunny' }] },
    ];
    for (const target of [claude, kimi]) {
      const reply = await post('messages', target, { ...question, messages });
      expect(reply.status, reply.text).to.equal(200);
    }
    expect(JSON.stringify(scene.upstream.calls.at(-1)?.body['messages'])).to.include(`"tool_call_id":"${id}"`);
  });
});
