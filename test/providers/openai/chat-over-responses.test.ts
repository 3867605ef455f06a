import { expect } from 'chai';
import OpenAI from 'openai';
import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { KEY } from '../../support/gateway.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';
import { completed, created, event, sseOf } from './responses/upstream/harness.ts';

const MODEL = 'openai/gpt-5.6';
const PINNED = 'openai/pinned';
const models = {
  [MODEL]: { targets: [{ provider: 'openai', model: 'gpt-5.6' }] },
  [PINNED]: { targets: [{ provider: 'openai', model: 'gpt-5.6', wire: 'chat-completions' }] },
};
const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];
const question = { role: 'user' as const, content: 'Weather in Rome?' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'BLOB' };
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Rome"}',
  status: 'completed',
};
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 16,
};
const answer = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-5.6-2026',
  output: [reasoning, call],
  usage,
};

const stream = sseOf([
  created,
  event('output_item.added', { output_index: 0, item: { ...reasoning, encrypted_content: 'HALF' } }),
  event('output_item.done', { output_index: 0, item: reasoning }),
  event('output_item.added', { output_index: 1, item: { ...call, arguments: '', status: 'in_progress' } }),
  event('function_call_arguments.delta', { output_index: 1, item_id: 'fc_1', delta: '{"city":' }),
  event('function_call_arguments.delta', { output_index: 1, item_id: 'fc_1', delta: '"Rome"}' }),
  event('output_item.done', { output_index: 1, item: call }),
  completed([reasoning, call], { usage }),
]);

describe('E44: chat with tools for a model that refuses them on chat while it reasons', () => {
  let scene: Scene;
  let client: OpenAI;
  before(async () => {
    scene = await startScene({ models });
    client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => void (scene.upstream.calls.length = 0));
  after(() => scene.stop());
  const sent = (): JsonObject => scene.upstream.calls[0]?.body ?? {};

  it('a chat request with tools is sent over responses without storage and returned as chat', async () => {
    scene.upstream.answer = (response) => answerJson(response, answer);
    const { choices, usage: counted } = await client.chat.completions.create({
      model: MODEL,
      messages: [question],
      tools,
      reasoning_effort: 'high',
    });
    expect(scene.upstream.calls.map(({ path }) => path)).to.deep.equal(['/v1/responses']);
    expect(sent()).to.deep.include({
      model: 'gpt-5.6',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high' },
    });
    expect(sent()['tools']).to.deep.equal([
      { type: 'function', name: 'weather', parameters: tools[0]?.function.parameters, strict: false },
    ]);
    expect(choices[0]?.finish_reason).to.equal('tool_calls');
    expect(choices[0]?.message.tool_calls).to.deep.equal([
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
    ]);
    expect(counted).to.deep.include({ prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 });
  });

  it('sends the reasoning of a chat back to the vendor on the next turn, in its position', async () => {
    scene.upstream.answer = (response) => answerJson(response, answer);
    const { choices } = await client.chat.completions.create({ model: MODEL, messages: [question], tools });
    const [said] = choices;
    if (said === undefined) throw new Error('there is no answer');
    scene.upstream.calls.length = 0;
    await client.chat.completions.create({
      model: MODEL,
      messages: [question, said.message, { role: 'tool', tool_call_id: 'call_1', content: 'sun' }],
      tools,
    });
    expect(sent()['input']).to.deep.equal([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather in Rome?' }] },
      { type: 'reasoning', summary: [], encrypted_content: 'BLOB' },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sun' },
    ]);
  });

  it('a streamed chat request with tools is sent over responses in the same way', async () => {
    scene.upstream.answer = (response) => answerSse(response, stream);
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({
      model: MODEL,
      messages: [question],
      tools,
      stream: true,
    }))
      chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) =>
      choices.map(({ delta }) => delta as typeof delta & { reasoning_details?: readonly JsonObject[] }),
    );
    expect(
      deltas.flatMap(({ tool_calls: calls = [] }) => calls.map((part) => part.function?.arguments ?? '')).join(''),
    ).to.equal('{"city":"Rome"}');
    const details = deltas.flatMap(({ reasoning_details: list = [] }) => list);
    scene.upstream.calls.length = 0;
    const said = {
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } }],
      reasoning_details: details,
    };
    scene.upstream.answer = (response) => answerJson(response, answer);
    await client.chat.completions.create({
      model: MODEL,
      messages: [question, said, { role: 'tool', tool_call_id: 'call_1', content: 'sun' }],
      tools,
    });
    const input = sent()['input'] as readonly unknown[];
    expect(input.filter(isObject).find(({ type }) => type === 'reasoning')).to.include({ encrypted_content: 'BLOB' });
  });

  it('a request stays on chat without tools or with a pinned wire, where the loss of reasoning is reported', async () => {
    scene.upstream.answer = (response) =>
      answerJson(response, {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      });
    await client.chat.completions.create({ model: MODEL, messages: [question] });
    const { response } = await client.chat.completions
      .create({ model: PINNED, messages: [question], tools, reasoning_effort: 'high' })
      .withResponse();
    expect(scene.upstream.calls.map(({ path, body }) => [path, body['reasoning_effort']])).to.deep.equal([
      ['/v1/chat/completions', undefined],
      ['/v1/chat/completions', 'none'],
    ]);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(response.headers.get('x-koine-losses')).to.contain('reasoning_effort');
  });
});
