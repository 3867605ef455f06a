import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json } from '../../matrix/wires.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { presetTable, type PresetCase } from './preset-table.ts';

const SECRET = 'upstream-secret';

const turnsOf = ({ body }: UpstreamCall): readonly Json[] =>
  Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [];

const findBareCall = (turn: Json): boolean =>
  turn['tool_calls'] !== undefined && turn['reasoning_content'] === undefined;

/** Why the vendor refuses a call. A Responses API has other members, so only address and key are checked. */
function findFault(call: UpstreamCall, { url, refused = [], ...vendor }: PresetCase): string | undefined {
  if (call.headers['authorization'] !== `Bearer ${SECRET}`) return 'no valid key';
  if (call.path !== new URL(url).pathname) return `no path ${call.path}`;
  if (!url.endsWith('/chat/completions')) return undefined;
  const member = ['max_completion_tokens', ...refused].find((name) => call.body[name] !== undefined);
  if (member !== undefined) return `unknown member ${member}`;
  const turns = turnsOf(call);
  if (turns.some(({ role }) => role === 'developer')) return 'unknown role developer';
  if (vendor.refusesNames === true && turns.some(({ name }) => name !== undefined)) return 'unknown member name';
  return vendor.needsReasoning === true && turns.some(findBareCall) ? 'reasoning_content is missing' : undefined;
}

/** A conversation with all that some vendor refuses. */
const hardRequest = {
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', name: 'anna', content: 'Weather in Oslo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"city":"Oslo"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
  ],
  tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
  max_completion_tokens: 100,
};
const refusable = {
  frequency_penalty: 0.1,
  presence_penalty: 0.1,
  stop: ['END'],
  logit_bias: { 1: 1 },
  logprobs: true,
  top_logprobs: 1,
};

describe('presets against strict servers', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response, call) => {
      const [, name = '', ...path] = call.path.split('/');
      const vendor = presetTable[name];
      if (vendor === undefined) return answerJson(response, { detail: `no vendor ${name}` }, 404);
      const fault = findFault({ ...call, path: `/${path.join('/')}` }, vendor);
      if (fault !== undefined) return answerJson(response, { error: { message: fault, type: 'bad_request' } }, 400);
      const streamed = call.body['stream'] === true;
      const wire = call.path.endsWith('/responses') ? 'responses' : 'chat';
      response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(textOf(wire, streamed ? 'streamed' : 'plain', goodDay));
    };
    const names = Object.entries(presetTable);
    const baseOf = (name: string, url: string): string =>
      `${upstream.url}/${name}${new URL(url).pathname.replace(/\/(?:chat\/completions|responses)$/, '')}`;
    /** Clients of the messages wire are translated here as well. */
    const pinOf = (name: string): object => (name === 'openrouter' ? { wire: 'chat-completions' } : {});
    scene = await startScene({
      providers: Object.fromEntries(
        names.map(([name, { url }]) => [name, { use: name, config: { apiKey: SECRET, baseUrl: baseOf(name, url) } }]),
      ),
      models: Object.fromEntries(
        names.map(([name, { model }]) => [
          `${name}/m`,
          { wires: everyWire, targets: [{ provider: name, model, ...pinOf(name) }] },
        ]),
      ),
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop();
    await upstream.stop();
  });

  const chat = (name: string, more: Json = {}): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: '/v1/chat/completions',
      body: JSON.stringify({ model: `${name}/m`, ...hardRequest, ...more }),
    });
  const messages = (name: string, stream: boolean): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: '/v1/messages',
      body: JSON.stringify({
        model: `${name}/m`,
        max_tokens: 100,
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hello' }],
        ...(stream ? { stream } : {}),
      }),
    });
  const lossesOf = ({ headers }: HttpReply): string => String(headers['x-koine-losses'] ?? '');

  for (const [name, { url, refused = [], model }] of Object.entries(presetTable)) {
    const isChat = url.endsWith('/chat/completions');

    for (const stream of [false, true])
      it(`${name}: a chat client and a messages client get ${stream ? 'a stream' : 'an answer'}`, async () => {
        for (const reply of [await chat(name, stream ? { stream } : {}), await messages(name, stream)]) {
          expect([reply.status, /Good[^]*day/.test(reply.text)], reply.text).to.deep.equal([200, true]);
        }
        expect(upstream.calls.map(({ body }) => body['model'])).to.deep.equal([model, model]);
      });

    if (isChat && refused.length > 0)
      it(`${name}: members that it refuses are removed by name, and all others are sent`, async () => {
        const reply = await chat(name, refusable);
        expect(reply.status, reply.text).to.equal(200);
        const sent = upstream.calls[0]?.body ?? {};
        const kept = Object.keys(refusable).filter((member) => !refused.includes(member));
        expect(Object.keys(refusable).filter((member) => sent[member] !== undefined)).to.deep.equal(kept);
        for (const member of refused) expect(lossesOf(reply)).to.include(`${member};dropped`);
        for (const member of kept) expect(lossesOf(reply)).to.not.include(`${member};`);
      });
  }

  it('the names of messages are removed for Groq only, as a loss', async () => {
    const [groq, together] = [await chat('groq'), await chat('together')];
    expect(lossesOf(groq)).to.include('messages[1].name;dropped');
    expect(lossesOf(together)).to.not.include('name');
    const namesOf = (index: number) => turnsOf(upstream.calls[index] as UpstreamCall).map(({ name }) => name);
    expect([namesOf(0)[1], namesOf(1)[1]]).to.deep.equal([undefined, 'anna']);
  });

  it('reasoning that clients send back is kept, and only missing reasoning is filled', async () => {
    const [developer, user, calls, result] = hardRequest.messages;
    const thought = [developer, user, { ...calls, reasoning_content: 'Let me see.' }, result];
    const [bare, whole] = [await chat('deepseek'), await chat('deepseek', { messages: thought })];
    expect(lossesOf(bare)).to.include('messages;injected');
    expect(lossesOf(whole)).to.not.include('messages;injected');
    const sent = upstream.calls.map((call) => turnsOf(call)[2]?.['reasoning_content']);
    expect(sent).to.deep.equal([' ', 'Let me see.']);
  });

  it('a stream of OpenRouter that ends with [DONE] but no finish reason is complete', async () => {
    const answer = upstream.answer;
    upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(
          `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'Good day.' }, finish_reason: null }] })}\n\n` +
            'data: [DONE]\n\n',
        );
    const [open, cut] = [await messages('openrouter', true), await messages('together', true)];
    upstream.answer = answer;
    expect([open.text.includes('message_stop'), cut.text.includes('event: error')]).to.deep.equal([true, true]);
  });
});
