import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const members = new Set(['model', 'messages', 'tools', 'format', 'think', 'options', 'stream', 'keep_alive']);
const embedMembers = new Set(['model', 'input', 'truncate', 'dimensions', 'options', 'keep_alive']);
const end = { done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 5 };

/** Why a server that reads its own API only would refuse the call. */
const refusalOf = ({ path, body, method }: UpstreamCall): string | undefined => {
  const allowed = path === '/api/chat' ? members : path === '/api/embed' ? embedMembers : undefined;
  if (method !== 'POST' || allowed === undefined) return `no such path: ${method} ${path}`;
  const other = Object.keys(body).find((name) => !allowed.has(name));
  if (other !== undefined) return `unknown member ${other}`;
  if (path === '/api/embed') return undefined;
  const messages = body['messages'] as readonly { readonly content: unknown; readonly tool_calls?: unknown }[];
  return messages.some(({ content }) => typeof content !== 'string') ? 'content is not a text' : undefined;
};

/** A server that greets, calls the first tool it is offered, or returns a vector for each text. */
const serve: TestUpstream['answer'] = (response, call) => {
  const wrong = refusalOf(call);
  if (wrong !== undefined) return answerJson(response, { error: wrong }, 400);
  const { model, input, tools, stream } = call.body;
  if (model !== 'qwen3' && model !== 'nomic-embed-text')
    return answerJson(response, { error: `model '${String(model)}' not found` }, 404);
  if (call.path === '/api/embed')
    return answerJson(response, {
      model,
      embeddings: (input as readonly string[]).map((_, index) => [index + 0.5, -1]),
      prompt_eval_count: 6,
    });
  const [tool] = (tools ?? []) as readonly { readonly function: { readonly name: string } }[];
  const said = [{ thinking: 'Hm.' }, { content: 'Good' }, { content: ' day.' }];
  const messages =
    tool === undefined
      ? said
      : [{ tool_calls: [{ function: { name: tool.function.name, arguments: { city: 'Rome' } } }] }];
  const lines = messages.map((message) => ({
    model,
    message: { role: 'assistant', content: '', ...message },
    done: false,
  }));
  const last = { model, message: { role: 'assistant', content: '' }, ...end };
  if (stream === true) {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    return void response.end([...lines, last].map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  const text = messages.map((message) => ('content' in message ? message.content : '')).join('');
  const whole = Object.assign({ role: 'assistant' }, ...messages, { content: text }) as object;
  return answerJson(response, { ...last, message: whole });
};

describe('a gateway in front of Ollama', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = serve;
    gateway = await startTestGateway({
      providers: {
        ollama: { use: 'ollama', config: { baseUrl: upstream.url, options: { num_ctx: 8192 }, keepAlive: '30m' } },
      },
      models: {
        'local/qwen3': { targets: [{ provider: 'ollama', model: 'qwen3' }] },
        'local/gone': { targets: [{ provider: 'ollama', model: 'llama9' }] },
        'local/vectors': { targets: [{ provider: 'ollama', model: 'nomic-embed-text' }], wires: ['embeddings'] },
      },
    });
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => void (upstream.calls.length = 0));
  const messages = [{ role: 'user' as const, content: 'Hello' }];

  it('answers a client of chat completions from Ollama, and sends the options of the configuration', async () => {
    const { choices, usage } = await openai.chat.completions.create({
      model: 'local/qwen3',
      messages,
      max_tokens: 20,
      seed: 3,
    });
    expect([choices[0]?.message.content, choices[0]?.finish_reason]).to.deep.equal(['Good day.', 'stop']);
    expect(usage).to.include({ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 });
    expect(upstream.calls[0]?.body).to.deep.equal({
      model: 'qwen3',
      messages,
      options: { num_ctx: 8192, num_predict: 20, seed: 3 },
      stream: false,
      keep_alive: '30m',
    });
    expect(upstream.calls[0]?.headers).to.not.have.property('authorization');
  });

  it('streams the thoughts, texts and calls of Ollama to a client of messages', async () => {
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 });
    const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
    const asked = { model: 'local/qwen3', max_tokens: 2000, messages };
    const { content, stop_reason, usage } = await anthropic.messages.stream({ ...asked, thinking }).finalMessage();
    expect(content.map((block) => (block.type === 'text' ? block.text : block.type))).to.deep.equal([
      'thinking',
      'Good day.',
    ]);
    expect([stop_reason, usage.input_tokens, usage.output_tokens]).to.deep.equal(['end_turn', 12, 5]);
    expect(upstream.calls[0]?.body['think']).to.equal(true);
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }];
    const called = await anthropic.messages.stream({ ...asked, tools }).finalMessage();
    expect(called.content.map((block) => (block.type === 'tool_use' ? block.input : block.type))).to.deep.equal([
      { city: 'Rome' },
    ]);
    expect(called.stop_reason).to.equal('tool_use');
  });

  it('embeds texts with Ollama, and refuses token ids by name', async () => {
    const { data, usage } = await openai.embeddings.create({ model: 'local/vectors', input: ['a', 'b'] });
    expect(data.map(({ embedding }) => embedding)).to.deep.equal([
      [0.5, -1],
      [1.5, -1],
    ]);
    expect(usage).to.deep.equal({ prompt_tokens: 6, total_tokens: 6 });
    expect(upstream.calls[0]?.body).to.include({ truncate: false, keep_alive: '30m' });
    const refused = await openai.embeddings
      .create({ model: 'local/vectors', input: [[1, 2]] })
      .catch((error: unknown) => error);
    expect(refused).to.include({ status: 400, param: 'input' });
  });

  for (const counts of [{}, { prompt_eval_count: 0, eval_count: 0 }, { prompt_eval_count: null, eval_count: null }])
    it(`estimates the usage for the client without a count: ${JSON.stringify(counts)}`, async () => {
      upstream.answer = (response, { body }) => {
        const message = { role: 'assistant', content: 'Good day to all of you.' };
        const last = { model: 'qwen3', message, done: true, done_reason: 'stop', ...counts };
        if (body['stream'] !== true) return answerJson(response, last);
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.end(`${JSON.stringify(last)}\n`);
      };
      try {
        const asked = { model: 'local/qwen3', messages };
        const { usage } = await openai.chat.completions.create(asked);
        const stream = await openai.chat.completions.create({
          ...asked,
          stream: true,
          stream_options: { include_usage: true },
        });
        const chunks = [];
        for await (const chunk of stream) chunks.push(chunk);
        for (const shown of [usage, chunks.at(-1)?.usage]) {
          expect(shown?.prompt_tokens).to.be.above(0);
          expect(shown?.completion_tokens).to.equal(6);
        }
        const lines = gateway.lines.filter(({ fields }) => fields['tokens_estimated'] === true);
        expect(lines.map(({ fields }) => fields['tokens_out'])).to.include(6);
      } finally {
        upstream.answer = serve;
      }
    });

  it('a model that Ollama does not have is a 404', async () => {
    const refused = await openai.chat.completions
      .create({ model: 'local/gone', messages })
      .catch((error: unknown) => error);
    expect(refused).to.include({ status: 404 });
  });
});
