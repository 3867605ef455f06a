import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import OpenAI from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { recordings } from './recordings.ts';

const SECRET = 'co-upstream-0123456789abcdef';
const chatMembers = new Set(
  (
    'model messages tools strict_tools tool_choice documents citation_options response_format safety_mode max_tokens ' +
    'stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs thinking stream'
  ).split(' '),
);
const embedMembers = new Set(
  'model texts images inputs input_type max_tokens output_dimension embedding_types truncate'.split(' '),
);
const usage = {
  billed_units: { input_tokens: 12, output_tokens: 9 },
  tokens: { input_tokens: 900, output_tokens: 11 },
};

/** The status and message with which the vendor refuses a call. */
const refusalOf = ({ path, body, headers }: UpstreamCall): readonly [number, string] | undefined => {
  if (headers.authorization !== `Bearer ${SECRET}`) return [401, 'invalid api token'];
  const allowed = path === '/v2/chat' ? chatMembers : path === '/v2/embed' ? embedMembers : undefined;
  if (allowed === undefined) return [404, 'page not found'];
  const other = Object.keys(body).find((name) => !allowed.has(name));
  if (other !== undefined) return [422, `unknown field: parameter '${other}' is not a valid field`];
  if (path === '/v2/embed' && body['input_type'] === undefined)
    return [400, 'invalid request: valid input_type must be provided'];
  if (body['tools'] !== undefined && body['response_format'] !== undefined)
    return [400, 'cannot specify both tools and response_format'];
  return body['tools'] !== undefined && body['safety_mode'] !== undefined
    ? [400, 'safety_mode is not configurable in combination with tools']
    : undefined;
};

const recorded = (name: string) => recordings.find((recording) => recording.name === name)?.response;

const serve: TestUpstream['answer'] = (response, call) => {
  const wrong = refusalOf(call);
  if (wrong !== undefined) return answerJson(response, { id: 'e', message: wrong[1] }, wrong[0]);
  const { texts, tools, stream } = call.body;
  if (Array.isArray(texts))
    return answerJson(response, {
      id: 'e',
      embeddings: { float: texts.map((_, index) => [index + 0.5, -1]) },
      meta: { billed_units: { input_tokens: 6 } },
    });
  const name = tools === undefined ? 'cited' : 'calls';
  return stream === true
    ? answerSse(response, recorded(`${name}-stream.json`)?.text ?? '')
    : answerJson(response, { ...(recorded(`${name}.json`)?.body as object), usage });
};

describe('a gateway in front of Cohere', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = serve;
    const config = { apiKey: SECRET, baseUrl: upstream.url, safetyMode: 'STRICT', citations: 'FAST' };
    gateway = await startTestGateway({
      providers: { cohere: { use: 'cohere', config } },
      models: {
        'cohere/a': { targets: [{ provider: 'cohere', model: 'command-a-03-2025' }] },
        'cohere/thinks': { targets: [{ provider: 'cohere', model: 'command-a-reasoning-08-2025' }] },
        'cohere/vectors': { targets: [{ provider: 'cohere', model: 'embed-v4.0' }], wires: ['embeddings'] },
      },
    });
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  beforeEach(() => void (upstream.calls.length = 0));
  const messages = [{ role: 'user' as const, content: 'How warm is it?' }];
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];

  it('answers a client of chat completions from Cohere, with citations and the billed usage', async () => {
    const request = { model: 'cohere/a', messages, user: 'u-1', top_p: 1, max_tokens: 50 };
    const { choices, usage: shown } = await openai.chat.completions.create(request);
    expect([choices[0]?.message.content, choices[0]?.finish_reason]).to.deep.equal([
      'It is: 15 °C 😀 in Rome.',
      'stop',
    ]);
    expect(choices[0]?.message.annotations?.[0]?.url_citation).to.include({
      url: 'https://weather.test/rome',
      start_index: 7,
      end_index: 13,
    });
    expect(shown).to.include({ prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 });
    expect(upstream.calls[0]?.body).to.deep.equal({
      model: 'command-a-03-2025',
      messages,
      max_tokens: 50,
      p: 0.99,
      stream: false,
      citation_options: { mode: 'FAST' },
      safety_mode: 'STRICT',
    });
  });

  it('streams the plan and the calls of Cohere to clients of two wires', async () => {
    const stream = openai.chat.completions.stream({ model: 'cohere/a', messages, tools, tool_choice: 'required' });
    const { choices } = await stream.finalChatCompletion();
    const [choice] = choices;
    expect([choice?.message.content, choice?.finish_reason]).to.deep.equal(['I will ask for both.', 'tool_calls']);
    expect(
      choice?.message.tool_calls?.map((call) => (call.type === 'function' ? call.function.arguments : '')),
    ).to.deep.equal(['{"city":"Rome"}', '{"city":"Oslo"}']);
    expect(upstream.calls[0]?.body['tool_choice']).to.equal('REQUIRED');
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 });
    const message = await anthropic.messages
      .stream({
        model: 'cohere/a',
        max_tokens: 99,
        messages,
        tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      })
      .finalMessage();
    expect(message.content.map(({ type }) => type)).to.deep.equal(['text', 'tool_use', 'tool_use']);
  });

  it('a schema beside tools reaches Cohere as a tool, which takes both', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const format = { type: 'json_schema' as const, json_schema: { name: 'place', schema } };
    await openai.chat.completions.create({ model: 'cohere/a', messages, tools, response_format: format });
    expect(upstream.calls[0]?.body).to.not.have.property('response_format');
    expect(upstream.calls[0]?.body['tools']).to.have.lengthOf(2);
  });

  it('a budget of a client is the budget of a model of Cohere that reasons', async () => {
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 });
    const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
    const { content } = await anthropic.messages.create({
      model: 'cohere/thinks',
      max_tokens: 4000,
      messages,
      thinking,
    });
    expect(content.map(({ type }) => type)).to.deep.equal(['thinking', 'text']);
    expect(upstream.calls[0]?.body['thinking']).to.deep.equal({ type: 'enabled', token_budget: 1024 });
  });

  it('embeds texts with Cohere, for the purpose that a client names', async () => {
    const input = { model: 'cohere/vectors', input: ['a', 'b'], dimensions: 256 };
    const { data, usage: shown } = await openai.embeddings.create(input);
    expect(data.map(({ embedding }) => embedding)).to.deep.equal([
      [0.5, -1],
      [1.5, -1],
    ]);
    expect(shown).to.deep.equal({ prompt_tokens: 6, total_tokens: 6 });
    expect(upstream.calls[0]?.body).to.include({ input_type: 'search_document', output_dimension: 256 });
    await openai.embeddings.create({ ...input, input_type: 'search_query' } as never);
    expect(upstream.calls[1]?.body).to.include({ input_type: 'search_query' });
  });

  it('more texts than Cohere embeds at once become several calls', async () => {
    const many = { model: 'cohere/vectors', input: Array.from({ length: 97 }, () => 'a') };
    const { data, usage: shown } = await openai.embeddings.create(many);
    expect(data).to.have.length(97);
    expect(shown.prompt_tokens).to.equal(12);
    expect(upstream.calls).to.have.length(2);
  });
});
