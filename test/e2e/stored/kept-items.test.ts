import { expect } from 'chai';
import { send, type HttpReply } from '../../support/http.ts';
import { MESSAGES, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json } from '../../matrix/wires.ts';

const keys = { web: 'web-key-0123456789abcdef', shop: 'shop-key-0123456789abcdef' };
const organizations = {
  acme: {
    projects: {
      web: { keys: { web: { key: keys.web } } },
      shop: { keys: { shop: { key: keys.shop } } },
    },
  },
};

const tools = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} }, strict: false }];
const calling = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [
    { type: 'text', text: 'I look it up.' },
    { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { city: 'Oslo' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

describe('items of translated responses', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await startScene({ organizations, plugins: [{ use: 'auth' }] });
    scene.upstream.answer = (response) => answerJson(response, calling);
  });
  afterEach(() => scene.stop());

  const respond = (body: Json, key = keys.web): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: '/v1/responses',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MESSAGES, tools, ...body }),
    });
  const readBody = ({ status, text }: HttpReply): { readonly id: string; readonly output: readonly Json[] } => {
    expect(status, text).to.equal(200);
    return JSON.parse(text) as { id: string; output: readonly Json[] };
  };
  const user = { role: 'user', content: 'Weather in Oslo?' };
  const result = { type: 'function_call_output', call_id: 'toolu_1', output: 'Sunny' };
  const turnsSent = (): readonly Json[] => (scene.upstream.calls.at(-1)?.body['messages'] ?? []) as readonly Json[];
  const wholeConversation = [
    { role: 'user', content: [{ type: 'text', text: 'Weather in Oslo?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look it up.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { city: 'Oslo' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Sunny' }] }],
    },
  ];
  const simplify = (turns: readonly Json[]): unknown =>
    JSON.parse(JSON.stringify(turns, (name, value: unknown) => (name === 'is_error' ? undefined : value)));

  it('an item can be referred to by its id', async () => {
    const first = await respond({ input: [user] });
    const references = readBody(first).output.map(({ id }) => ({ type: 'item_reference', id }));
    expect(references.length).to.equal(2);
    readBody(await respond({ input: [user, ...references, result] }));
    expect(simplify(turnsSent())).to.deep.equal(simplify(wholeConversation));
  });

  it('an item of a stream can be referred to, and its response continued', async () => {
    scene.upstream.answer = (response) => answerSse(response, textOf('messages', 'streamed', goodDay));
    const { status, text } = await respond({ input: [user], stream: true });
    expect(status, text).to.equal(200);
    const [, data = ''] = /event: response\.completed\ndata: (.*)/.exec(text) ?? [];
    const { response } = JSON.parse(data) as { response: { id: string; output: readonly Json[] } };
    scene.upstream.answer = (response) => answerJson(response, calling);
    const reference = { type: 'item_reference', id: response.output[0]?.['id'] };
    readBody(await respond({ input: [user, reference, user] }));
    const sent = simplify(turnsSent());
    readBody(await respond({ previous_response_id: response.id, input: [user] }));
    expect(simplify(turnsSent())).to.deep.equal(sent);
    expect(JSON.stringify(sent)).to.include('Good day.');
  });

  it('a response continues an earlier one, whose input was a text, and the one before that', async () => {
    const first = readBody(await respond({ input: 'Weather in Oslo?' }));
    const second = readBody(await respond({ previous_response_id: first.id, input: [result] }));
    expect(simplify(turnsSent())).to.deep.equal(simplify(wholeConversation));
    readBody(await respond({ previous_response_id: second.id, input: [{ ...result, call_id: 'toolu_1' }] }));
    expect(turnsSent().length).to.equal(5);
  });

  it('another project, an unknown id and store: false have no items', async () => {
    const stored = readBody(await respond({ input: [user] }));
    const unstored = readBody(await respond({ input: [user], store: false }));
    const refer = ({ output }: typeof stored): Json => ({
      input: [user, { type: 'item_reference', id: output[0]?.['id'] }],
    });
    for (const reply of [await respond(refer(stored), keys.shop), await respond(refer(unstored))]) {
      expect(reply.status, reply.text).to.equal(404);
      expect(reply.text).to.include('input[1]');
    }
    for (const [id, key] of [
      [stored.id, keys.shop],
      [unstored.id, keys.web],
      ['resp_unknown', keys.web],
    ] as const) {
      const reply = await respond({ previous_response_id: id, input: [user] }, key);
      const { error } = JSON.parse(reply.text) as { error: Json };
      const { code, param } = error as { code: unknown; param: unknown };
      expect([reply.status, code, param], reply.text).to.deep.equal([
        400,
        'previous_response_not_found',
        'previous_response_id',
      ]);
      expect(reply.text).to.include('store: false');
    }
  });
});

describe('items of translated responses, where none are kept', () => {
  it('a reference is not found', async () => {
    const scene = await startScene({ responses: { items: { for: '0s' } } });
    scene.upstream.answer = (response) => answerJson(response, calling);
    const respond = (body: Json): Promise<HttpReply> =>
      send(scene.gateway.url, { path: '/v1/responses', body: JSON.stringify({ model: MESSAGES, tools, ...body }) });
    const { id } = JSON.parse((await respond({ input: 'a' })).text) as { id: string };
    expect((await respond({ previous_response_id: id, input: 'b' })).status).to.equal(400);
    await scene.stop();
  });
});
