import Anthropic, { APIError, AuthenticationError, RateLimitError } from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { GatewayError, type GenerateResponse, type JsonObject, type Usage } from '../../../../core/api/index.ts';
import type { GenerateEvent } from '../../../../core/api/codec.ts';
import { clientSide, decode, writeContext, writeSse } from './exchange.ts';

const usage: Usage = {
  inputUncached: 12,
  cacheRead: 4000,
  cacheWrite5m: 500,
  cacheWrite1h: 0,
  output: 90,
  reasoning: 60,
  source: 'provider',
};

/** The official client, answered with this text. */
const clientOf = (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Anthropic =>
  new Anthropic({
    apiKey: 'test',
    baseURL: 'http://127.0.0.1:1',
    maxRetries: 0,
    fetch: () =>
      Promise.resolve(
        new Response(text, {
          status,
          headers: { 'content-type': text.startsWith('{') ? 'application/json' : 'text/event-stream', ...headers },
        }),
      ),
  });

const ask = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] };
const receive = (events: readonly GenerateEvent[]) => clientOf(writeSse(events)).messages.stream(ask).finalMessage();

const text = (part: number, ...pieces: readonly string[]): readonly GenerateEvent[] => [
  { type: 'part-start', choice: 0, part, kind: 'text' },
  ...pieces.map((piece): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text: piece })),
  { type: 'part-end', choice: 0, part },
];
const callStart = (part: number, id: string, name: string): GenerateEvent => ({
  type: 'part-start',
  choice: 0,
  part,
  kind: 'tool-call',
  call: { id, name, kind: 'function' },
});
const delta = (part: number, fragment: string): GenerateEvent => ({
  type: 'part-delta',
  choice: 0,
  part,
  text: fragment,
});
const end = (part: number): GenerateEvent => ({ type: 'part-end', choice: 0, part });

/** Reasoning with a signature, text, a call in two fragments, a call without arguments. */
const golden: readonly GenerateEvent[] = [
  { type: 'response-start', id: 'msg_1', model: 'p/m' },
  { type: 'usage', usage: { ...usage, output: 1, reasoning: 0 } },
  { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
  delta(0, 'Let me check.'),
  { type: 'part-end', choice: 0, part: 0, proof: { origin: undefined, value: 'SIG' } },
  ...text(1, 'Check', 'ing.'),
  callStart(2, 'call_1', 'get_weather'),
  delta(2, '{"city":'),
  delta(2, '"Paris"}'),
  end(2),
  callStart(3, 'call_2', 'get_time'),
  end(3),
  { type: 'usage', usage },
  { type: 'choice-end', choice: 0, finish: { reason: 'tool_calls' } },
  { type: 'response-end' },
];

describe('messages: the official SDK', () => {
  it('the SDK adds a streamed conversation up to the original message', async () => {
    const message = await receive(golden);
    const direct = { type: 'direct' };
    expect(message.id).to.equal('msg_1');
    expect(message.model).to.equal('p/m');
    expect(message.content).to.deep.equal([
      { type: 'thinking', thinking: 'Let me check.', signature: 'SIG' },
      { type: 'text', text: 'Checking.', citations: [] },
      { type: 'tool_use', id: 'call_1', caller: direct, name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'call_2', caller: direct, name: 'get_time', input: {} },
    ]);
    expect(message.stop_reason).to.equal('tool_use');
    expect(message.usage.input_tokens).to.equal(12);
    expect(message.usage.cache_read_input_tokens).to.equal(4000);
    expect(message.usage.cache_creation_input_tokens).to.equal(500);
    expect(message.usage.output_tokens).to.equal(90);
    expect(message.usage.output_tokens_details?.thinking_tokens).to.equal(60);
  });

  it('the SDK replaces the estimate at the start of a stream with the final input usage', async () => {
    const message = await receive([
      { type: 'response-start' },
      ...text(0, 'a'),
      { type: 'usage', usage },
      { type: 'response-end' },
    ]);
    expect(message.usage.input_tokens).to.equal(12);
    expect(message.usage.cache_read_input_tokens).to.equal(4000);
  });

  it('the SDK reads two calls with alternating fragments as two whole calls (E52)', async () => {
    const message = await receive([
      { type: 'response-start' },
      callStart(0, 'a', 'first'),
      callStart(1, 'b', 'second'),
      delta(0, '{"x":'),
      delta(1, '{"y":'),
      delta(0, '1}'),
      delta(1, '2}'),
      end(1),
      end(0),
      { type: 'choice-end', choice: 0, finish: { reason: 'tool_calls' } },
      { type: 'response-end' },
    ]);
    expect(
      message.content.map((block) => (block.type === 'tool_use' ? [block.id, block.input] : block.type)),
    ).to.deep.equal([
      ['a', { x: 1 }],
      ['b', { y: 2 }],
    ]);
  });

  it('the SDK accepts a response without content', async () => {
    const message = await receive([
      { type: 'response-start' },
      { type: 'choice-end', choice: 0, finish: { reason: 'refusal', explanation: 'X' } },
      { type: 'response-end' },
    ]);
    expect(message.content).to.deep.equal([]);
    expect(message.stop_reason).to.equal('refusal');
    expect(message.stop_details?.explanation).to.equal('X');
  });

  it('the SDK keeps server tool blocks with their input', async () => {
    const value = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
    const message = await receive([
      { type: 'response-start' },
      { type: 'part-start', choice: 0, part: 0, kind: 'opaque', value: { type: 'opaque', wire: 'messages', value } },
      end(0),
      ...text(1, 'found'),
      { type: 'response-end' },
    ]);
    expect(message.content[0]).to.deep.include(value);
    expect(message.content[1]).to.deep.include({ text: 'found' });
  });

  it('the SDK throws on an error event before and after content', async () => {
    const error: GenerateEvent = { type: 'error', error: new GatewayError('upstream_overloaded') };
    for (const events of [[error], [{ type: 'response-start' } as const, ...text(0, 'part of it'), error]]) {
      const thrown: unknown = await receive(events).catch((reason: unknown) => reason);
      expect(thrown).to.be.instanceOf(APIError);
      expect((thrown as APIError).type).to.equal('overloaded_error');
    }
  });

  it('the SDK reads a plain response', async () => {
    const response: GenerateResponse = {
      id: 'msg_2',
      model: 'p/m',
      choices: [{ parts: [{ type: 'text', text: 'hello' }], finish: { reason: 'length' } }],
      usage,
    };
    const message = await clientOf(JSON.stringify(clientSide.encodeResponse(response, writeContext()))).messages.create(
      ask,
    );
    expect(message.content).to.deep.equal([{ type: 'text', text: 'hello', citations: [] }]);
    expect(message.stop_reason).to.equal('max_tokens');
    expect(message.usage.input_tokens).to.equal(12);
  });

  it('the SDK recognises gateway errors by their class and their request id', async () => {
    const refuse = async (error: GatewayError): Promise<unknown> => {
      const { status, headers, body } = clientSide.encodeError(error, { requestId: 'req_1' });
      return clientOf(JSON.stringify(body), status, headers)
        .messages.create(ask)
        .catch((reason: unknown) => reason);
    };
    const unauthorised = await refuse(new GatewayError('invalid_api_key'));
    expect(unauthorised).to.be.instanceOf(AuthenticationError);
    expect((unauthorised as APIError).message).to.include('Invalid API key');
    expect(await refuse(new GatewayError('rate_limit_exceeded'))).to.be.instanceOf(RateLimitError);
    const overloaded = (await refuse(new GatewayError('upstream_overloaded'))) as APIError;
    expect(overloaded.status).to.equal(529);
    expect(overloaded.type).to.equal('overloaded_error');
  });

  it('the SDK sends requests that decode: its version, a key in either header, tools and thinking', async () => {
    let sent: { readonly headers: Headers; readonly body: JsonObject } | undefined;
    const client = new Anthropic({
      apiKey: 'test',
      baseURL: 'http://127.0.0.1:1',
      maxRetries: 0,
      fetch: (_url, init) => {
        sent = {
          headers: new Headers(init?.headers as Record<string, string>),
          body: JSON.parse(String(init?.body)) as JsonObject,
        };
        return Promise.resolve(new Response(writeSse(golden), { headers: { 'content-type': 'text/event-stream' } }));
      },
    });
    await client.messages
      .stream({
        ...ask,
        system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
        tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
        thinking: { type: 'adaptive', display: 'omitted' },
      })
      .finalMessage();
    const { model, request } = clientSide.decodeRequest({
      raw: Buffer.from(''),
      body: sent?.body,
      headers: Object.fromEntries(sent?.headers ?? []),
      query: {},
    });
    expect(model).to.equal('m');
    expect(request).to.deep.include({ stream: true, parallelTools: false, reasoning: { effort: 'high', show: false } });
    expect(request.tools).to.have.length(1);
  });

  it('the SDK lists models page by page', async () => {
    const models = ['a/1', 'a/2', 'a/3'].map((id) => ({
      id,
      provider: 'a',
      wires: [],
      capabilities: {},
      created: 1_700_000_000,
    }));
    const client = new Anthropic({
      apiKey: 'test',
      baseURL: 'http://127.0.0.1:1',
      fetch: (url) => {
        const query = Object.fromEntries(new URL(url instanceof Request ? url.url : url).searchParams);
        return Promise.resolve(
          new Response(JSON.stringify(clientSide.models?.list(models, query)), {
            headers: { 'content-type': 'application/json' },
          }),
        );
      },
    });
    const seen: string[] = [];
    for await (const model of client.models.list({ limit: 2 })) seen.push(model.id);
    expect(seen).to.deep.equal(['a/1', 'a/2', 'a/3']);
  });

  it('the SDK shows no thinking that the client hid, and keeps its signature', async () => {
    const context = writeContext({ request: decode({ thinking: { type: 'adaptive', display: 'omitted' } }) });
    const message = await clientOf(writeSse(golden, context)).messages.stream(ask).finalMessage();
    expect(message.content[0]).to.deep.equal({ type: 'thinking', thinking: '', signature: 'SIG' });
  });
});
