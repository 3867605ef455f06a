import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const SECRET = 'mistral-upstream-0123456789';
/** https://docs.mistral.ai/api/endpoint/chat: the vendor refuses all others. */
const chatMembers = new Set(
  (
    'model messages temperature top_p max_tokens stream stop random_seed metadata response_format tools tool_choice ' +
    'presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort safe_prompt'
  ).split(' '),
);
const messageMembers: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};
const embedMembers = new Set(['model', 'input', 'metadata', 'output_dimension', 'output_dtype', 'encoding_format']);

type Message = Readonly<Record<string, unknown>>;
const extraOf = (message: Message): string | undefined =>
  Object.keys(message).find((name) => !(messageMembers[String(message['role'])] ?? []).includes(name));
const idsOf = (message: Message): readonly string[] => [
  ...((message['tool_calls'] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id),
  ...(message['tool_call_id'] === undefined ? [] : [String(message['tool_call_id'])]),
];

/** Why the vendor refuses a call: it is strict about members, ids and the last message. */
const refusalOf = ({ path, body }: UpstreamCall): string | undefined => {
  const allowed = path === '/v1/chat/completions' ? chatMembers : path === '/v1/embeddings' ? embedMembers : new Set();
  const other = Object.keys(body).find((name) => !allowed.has(name));
  if (other !== undefined) return `extra_forbidden: ${other}`;
  const messages = (body['messages'] ?? []) as readonly Message[];
  const extra = messages.map(extraOf).find((name) => name !== undefined);
  if (extra !== undefined) return `extra_forbidden: messages.${extra}`;
  const id = messages.flatMap(idsOf).find((text) => !/^[a-zA-Z0-9]{9}$/.test(text));
  if (id !== undefined) return `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
  const last = messages.at(-1);
  return last?.['role'] === 'assistant' && last['prefix'] !== true ? 'Expected last role User or Tool' : undefined;
};

const limits = {
  'content-type': 'application/json',
  'x-ratelimit-limit-req-minute': '100',
  'x-ratelimit-remaining-req-minute': '98',
};
const usage = {
  prompt_tokens: 12,
  completion_tokens: 5,
  total_tokens: 17,
  prompt_tokens_details: { cached_tokens: 4 },
};
const head = { id: 'm-1', created: 1, model: 'mistral-small-latest' };
const content = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }], closed: true },
  { type: 'text', text: 'Good day.' },
];

const serve: TestUpstream['answer'] = (response, call) => {
  if (call.headers.authorization !== `Bearer ${SECRET}`)
    return answerJson(response, { detail: 'Invalid API Key' }, 401);
  const wrong = refusalOf(call);
  if (wrong !== undefined) return answerJson(response, { detail: [{ type: 'extra_forbidden', msg: wrong }] }, 422);
  if (call.body['model'] === 'gone')
    return answerJson(
      response,
      { object: 'error', message: 'Invalid model: gone', type: 'invalid_model', code: '1500' },
      400,
    );
  if (call.path === '/v1/embeddings')
    return answerJson(response, {
      object: 'list',
      data: [{ index: 0, embedding: [0.5, -1] }],
      model: 'mistral-embed',
      usage,
    });
  if (call.body['stream'] === true) {
    const delta = (part: object, finish: string | null, more: object = {}): string =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: part, finish_reason: finish }], ...more })}\n\n`;
    const chunks = [
      delta({ role: 'assistant', content: '' }, null),
      delta({ content: content.slice(0, 1) }, null),
      delta({ content: 'Good day.' }, null),
      delta({ content: '' }, 'stop', { usage }),
    ];
    return answerSse(response, `${chunks.join('')}data: [DONE]\n\n`);
  }
  const message = { role: 'assistant', content, tool_calls: null };
  const body = { ...head, object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message }], usage };
  return void response.writeHead(200, limits).end(JSON.stringify(body));
};

describe('a gateway in front of Mistral', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  let anthropic: Anthropic;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = serve;
    const config = { apiKey: SECRET, baseUrl: `${upstream.url}/v1` };
    const target = (model: string) => ({ targets: [{ provider: 'mistral', model }] });
    gateway = await startTestGateway({
      providers: { mistral: { use: 'mistral', config } },
      models: {
        'mistral/small': target('mistral-small-latest'),
        'mistral/gone': target('gone'),
        'mistral/embed': { ...target('mistral-embed'), wires: ['embeddings'] },
      },
    });
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
    anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => void (upstream.calls.length = 0));
  const messages = [{ role: 'user' as const, content: 'Hello' }];

  it('sends requests of the OpenAI SDK to Mistral without what it refuses, and names the losses', async () => {
    const call = { id: 'call_0123456789abc', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const { data, response } = await openai.chat.completions
      .create({
        model: 'mistral/small',
        messages: [
          { role: 'developer', content: 'Be brief.' },
          ...messages,
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: call.id, content: 'x' },
        ],
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
        tool_choice: 'required',
        seed: 7,
        max_completion_tokens: 9,
        user: 'u-1',
        stream_options: null,
      })
      .withResponse();
    expect(data.choices[0]?.message.content).to.deep.equal(content);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(response.headers.get('x-koine-losses')).to.contain('user');
    expect(upstream.calls[0]?.body).to.include({ random_seed: 7, max_tokens: 9, tool_choice: 'any' });
  });

  it('streams the reasoning and the text of Mistral to a client of messages, with its usage', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
    const stream = anthropic.messages.stream({ model: 'mistral/small', max_tokens: 4000, messages, thinking });
    const { content: blocks, usage: shown } = await stream.finalMessage();
    expect(blocks.map((block) => (block.type === 'text' ? block.text : block.type))).to.deep.equal([
      'thinking',
      'Good day.',
    ]);
    expect([shown.input_tokens, shown.cache_read_input_tokens, shown.output_tokens]).to.deep.equal([8, 4, 5]);
    expect(upstream.calls[0]?.body).to.include({ reasoning_effort: 'high' }).and.not.have.property('stream_options');
  });

  it('a client of chat completions that asks for usage gets it at the end of a stream of Mistral', async () => {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const stream = await openai.chat.completions.create({ model: 'mistral/small', messages, ...options });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.at(-1)?.usage).to.include({ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 });
  });

  it('embeds texts with Mistral in the dimensions that a client names', async () => {
    const { data } = await openai.embeddings.create({ model: 'mistral/embed', input: 'a', dimensions: 2, user: 'u' });
    expect(data[0]?.embedding).to.deep.equal([0.5, -1]);
    expect(upstream.calls[0]?.body).to.include({ output_dimension: 2 });
  });

  it('a model that Mistral does not have is a 404', async () => {
    const refused = await openai.chat.completions
      .create({ model: 'mistral/gone', messages })
      .catch((error: unknown) => error);
    expect(refused).to.include({ status: 404 });
  });
});
