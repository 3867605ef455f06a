import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { expect } from 'chai';
import OpenAI from 'openai';
import { definePlugin, defineProvider, GatewayError, type Endpoint } from '../../../core/api/index.ts';
import { startTestGateway, startTestUpstream, type TestGateway } from '../../../core/testing/index.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

describe('a gateway for tests of extensions', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => {
    gateway.upstream.answer(() => undefined);
    gateway.upstream.requests.length = 0;
  });
  after(() => gateway.close());
  const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
  const google = () => new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });

  for (const model of ['openai/gpt-4.1', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-flash']) {
    it(`the SDK of each vendor gets the default answer of the upstream for ${model}, plain and streamed`, async () => {
      const text = 'Hello from the upstream.';
      const chat = await openai().chat.completions.create({ model, messages });
      expect(chat.choices[0]?.message.content).to.equal(text);
      expect(chat.usage).to.include({ prompt_tokens: 10, completion_tokens: 5 });
      let streamed = '';
      for await (const { choices } of await openai().chat.completions.create({ model, messages, stream: true }))
        streamed += choices[0]?.delta.content ?? '';
      expect(streamed).to.equal(text);
      expect((await openai().responses.create({ model, input: 'Hello' })).output_text).to.equal(text);
      const stream = anthropic().messages.stream({ model, max_tokens: 50, messages });
      expect(await stream.finalText()).to.equal(text);
      expect((await google().models.generateContent({ model, contents: 'Hello' })).text).to.equal(text);
    });
  }

  it('the upstream answers embeddings and counts of tokens', async () => {
    const { data } = await openai().embeddings.create({
      model: 'openai/text-embedding-3-small',
      input: ['one', 'two'],
      encoding_format: 'float',
    });
    expect(data.map(({ embedding }) => embedding)).to.deep.equal([
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 0.5],
    ]);
    const count = await anthropic().messages.countTokens({ model: 'anthropic/claude-sonnet-4-5', messages });
    expect(count.input_tokens).to.equal(10);
  });

  it('the upstream answers what a test sets, and records requests', async () => {
    gateway.upstream.answer(({ wire, body }) =>
      body['model'] === 'gpt-4.1' ? { text: ['One ', 'two.'], usage: { output: 7 } } : { text: `No ${wire}.` },
    );
    const deltas: string[] = [];
    const stream = await openai().chat.completions.create({ model: 'openai/gpt-4.1', messages, stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content) deltas.push(choices[0].delta.content);
    expect(deltas).to.deep.equal(['One ', 'two.']);
    const other = await openai().responses.create({ model: 'openai/gpt-5', input: 'Hello' });
    expect(other.output_text).to.equal('No responses.');
    expect(gateway.upstream.requests.map(({ method, path, wire }) => [method, path, wire])).to.deep.equal([
      ['POST', '/v1/chat/completions', 'chat-completions'],
      ['POST', '/v1/responses', 'responses'],
    ]);
    expect(gateway.upstream.requests[0]?.body['messages']).to.deep.equal(messages);
    expect(gateway.upstream.requests[0]?.headers['authorization']).to.match(/^Bearer upstream-key/);
  });

  it('the upstream sends tool calls, failures and bodies as they are', async () => {
    const { upstream } = gateway;
    upstream.answer({
      parts: [{ type: 'tool-call', id: 'call_1', name: 'weather', kind: 'function', input: '{"city":"Paris"}' }],
    });
    const reply = await anthropic().messages.create({ model: 'openai/gpt-4.1', max_tokens: 50, messages });
    expect(reply.content[0]).to.deep.include({ type: 'tool_use', name: 'weather', input: { city: 'Paris' } });
    upstream.answer({ status: 429, headers: { 'retry-after': '7' }, body: { error: { message: 'Slow down.' } } });
    const failed = await gateway.fetch('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'openai/gpt-4.1', messages }),
    });
    expect([failed.status, failed.headers.get('retry-after')]).to.deep.equal([429, '7']);
    upstream.answer({
      headers: { 'content-type': 'text/event-stream' },
      body: (async function* () {
        yield 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n';
        throw new Error('The connection is cut.');
      })(),
    });
    const stream = await openai().chat.completions.create({ model: 'openai/gpt-4.1', messages, stream: true });
    const error = await stream
      .toReadableStream()
      .pipeTo(new WritableStream())
      .catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('The provider closed the connection');
  });

  it('a path without a wire, and an answer that throws, are errors that say so', async () => {
    const { upstream } = gateway;
    const body = await (await fetch(`${upstream.url}/v9/talk`)).text();
    expect(body).to.include('knows no wire at GET /v9/talk');
    upstream.answer(() => {
      throw new Error('a mistake of the test');
    });
    const reply = await fetch(`${upstream.url}/v1/messages`, { method: 'POST' });
    expect([reply.status, await reply.text()].join(' ')).to.match(
      /^500 .*upstream\.answer failed: a mistake of the test/,
    );
  });

  it('the access log and the metrics show what has happened', async () => {
    const before = (await gateway.exchanges(0)).length;
    await openai().chat.completions.create({ model: 'openai/gpt-4.1', messages });
    const lines = await gateway.exchanges(before + 1);
    expect(lines.at(-1)).to.include({ model: 'openai/gpt-4.1', status: 200, key_alias: 'test' });

    expect(await gateway.metrics()).to.match(/^koine_http_requests_total\{.*\} \d+$/m);
  });
});

describe('a gateway for tests, with extensions', () => {
  const endpointOf = (url: string): Endpoint => ({
    origin: { provider: 'acme', family: 'acme' },
    wires: [
      {
        operation: 'generate',
        wire: 'chat-completions',
        buildRequest: ({ body, headers }) => ({ origin: url, path: '/talk/chat/completions', headers, body }),
      },
    ],
  });
  const acme = defineProvider<{ readonly url: string }>({
    kind: 'provider',
    apiVersion: 1,
    name: 'acme',
    schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    create: ({ url }) => ({ credentials: [{ id: 'none' }], endpoint: () => endpointOf(url) }),
  });
  const greet = definePlugin<{ readonly word: string }>({
    kind: 'plugin',
    apiVersion: 1,
    name: 'greet',
    schema: {
      type: 'object',
      properties: { word: { type: 'string', default: 'hello' } },
      additionalProperties: false,
    },
    create: ({ word }) => ({ admit: () => ({ headers: { 'x-greet': word } }) }),
  });

  it('serves definitions of plugins and providers, with the defaults of their settings', async () => {
    const upstream = await startTestUpstream();
    const gateway = await startTestGateway({
      upstream,
      plugins: [{ use: greet }],
      providers: { acme: { use: acme, config: { url: upstream.url } } },
      models: { 'acme/fixed': { targets: [{ provider: 'acme', model: 'one' }] } },
      config: { aliases: { quick: 'acme/fixed' } },
    });
    try {
      const body = JSON.stringify({ model: 'quick', messages });
      const reply = await gateway.fetch('/v1/chat/completions', { method: 'POST', body });
      expect([reply.status, reply.headers.get('x-greet')]).to.deep.equal([200, 'hello']);
      expect(upstream.requests.map(({ path, body: { model } }) => [path, model])).to.deep.equal([
        ['/talk/chat/completions', 'one'],
      ]);
    } finally {
      await gateway.close();
    }
  });

  const refused = async (options: Parameters<typeof startTestGateway>[0]): Promise<string> => {
    try {
      await (await startTestGateway(options)).close();
    } catch (error) {
      return String(error);
    }
    throw new Error('The gateway started.');
  };

  it('names each mistake of a setting, and of a definition', async () => {
    expect(await refused({ plugins: [{ use: greet, config: { wort: 'hi' } }] })).to.include('wort');
    expect(await refused({ plugins: [{ use: { ...greet, name: 'auth' } }] })).to.include('reserved for a built-in');
    expect(await refused({ plugins: [{ use: greet }, { use: { ...greet } }] })).to.include('Two definitions');
    expect(await refused({ plugins: [{ use: { ...greet, apiVersion: 2 as 1 } }] })).to.include('version 2 of the API');
    const create = () => {
      throw new GatewayError('invalid_request', 'no create today');
    };
    expect(await refused({ plugins: [{ use: { ...greet, create } }] })).to.include('no create today');
  });
});
