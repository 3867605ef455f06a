import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { chunk, event, exception, writeEvents, type WrittenEvent } from '../../providers/bedrock/write-events.ts';
import { verify } from '../../providers/identity/aws/verify-signature.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const SECRET = 'wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY';
const PROFILE = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123';
const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'eu.amazon.nova-2-lite-v1:0';

const answerEvents = (response: ServerResponse, events: readonly WrittenEvent[]): void =>
  void response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(writeEvents(events));
const converse = (text: string) => ({
  output: { message: { role: 'assistant', content: [{ text }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  metrics: { latencyMs: 10 },
});
const message = {
  id: 'msg_bdrk_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 2 },
};
const messageEvents = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const converseEvents = [
  event('messageStart', { role: 'assistant', p: 'ab' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hel' } }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'lo' } }),
  event('contentBlockStop', { contentBlockIndex: 0 }),
  event('messageStop', { stopReason: 'end_turn' }),
  event('metadata', { usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 }, metrics: { latencyMs: 3 } }),
];

const target = (model: string, wire?: string) => ({
  wires: ['chat-completions', 'messages'],
  targets: [{ provider: 'bedrock', model, ...(wire === undefined ? {} : { wire }) }],
});

describe('bedrock behind a gateway', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;

  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'authorization': `Bearer ${KEY}`,
        'anthropic-version': '2023-06-01',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const chat = (model: string, more: object = {}): Promise<Response> =>
    post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }], ...more });
  const send = (model: string, more: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
    post('/v1/messages', { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], ...more }, headers);

  before(async () => {
    upstream = await startUpstream();
    const config = {
      region: 'eu-west-1',
      baseUrl: upstream.url,
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: SECRET,
      guardrail: { id: 'g1', version: '3', trace: 'enabled', stream: 'async' },
      latency: 'optimized',
    };
    gateway = await startTestGateway({
      providers: {
        bedrock: { use: 'bedrock', config },
        keyed: { use: 'bedrock', config: { region: 'eu-west-1', baseUrl: upstream.url, apiKey: 'bedrock-api-key-1' } },
      },
      models: {
        'a/claude': target(CLAUDE),
        'a/nova': target(NOVA),
        'a/profile': target(PROFILE),
        'a/pinned': target(PROFILE, 'messages'),
        'a/keyed': { ...target(NOVA), targets: [{ provider: 'keyed', model: NOVA }] },
      },
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  it('a request has a signature that the vendor computes too, also with an ARN in the path', async () => {
    upstream.answer = (response, { path, headers, raw }) =>
      verify({ path, headers, body: raw }, SECRET)
        ? answerJson(response, converse('Hello'))
        : answerJson(response, { message: 'The request signature we calculated does not match.' }, 403);
    expect((await chat('a/nova')).status).to.equal(200);
    expect((await chat('a/profile')).status).to.equal(200);
    expect(upstream.calls.map(({ path }) => path)).to.deep.equal([
      `/model/${encodeURIComponent(NOVA)}/converse`,
      `/model/${encodeURIComponent(PROFILE)}/converse`,
    ]);
  });

  it('a key is sent as a bearer token, without a signature', async () => {
    upstream.answer = (response) => answerJson(response, converse('Hello'));
    expect((await chat('a/keyed')).status).to.equal(200);
    expect(upstream.calls[0]?.headers).to.include({ authorization: 'Bearer bedrock-api-key-1' });
    expect(upstream.calls[0]?.headers).to.not.have.property('x-amz-date');
  });

  it('guardrail and latency are members of Converse, and headers of InvokeModel', async () => {
    upstream.answer = (response, { path }) =>
      answerJson(response, path.endsWith('/converse') ? converse('Hello') : message);
    await chat('a/nova');
    await send('a/claude');
    const [first, second] = upstream.calls;
    expect(first?.body).to.deep.include({
      guardrailConfig: { guardrailIdentifier: 'g1', guardrailVersion: '3', trace: 'enabled' },
      performanceConfig: { latency: 'optimized' },
    });
    expect(second?.headers).to.include({
      'x-amzn-bedrock-guardrailidentifier': 'g1',
      'x-amzn-bedrock-guardrailversion': '3',
      'x-amzn-bedrock-trace': 'ENABLED',
      'x-amzn-bedrock-performanceconfig-latency': 'optimized',
    });
    expect(second?.headers['x-amzn-bedrock-guardrailidentifier']).to.equal('g1');
  });

  it('Claude is called by InvokeModel on the native lane, with version and known betas in the body', async () => {
    upstream.answer = (response) => answerJson(response, message);
    const beta = 'interleaved-thinking-2025-05-14, made-up-2026-01-01';
    const reply = await send('a/claude', { metadata: { user_id: 'u' } }, { 'anthropic-beta': beta });
    expect(reply.headers.get('x-koine-lane')).to.equal('native');
    expect(reply.headers.get('x-koine-losses')).to.contain('anthropic-beta');
    expect(await reply.json()).to.deep.equal(message);
    const [call] = upstream.calls;
    expect(call?.path).to.equal(`/model/${encodeURIComponent(CLAUDE)}/invoke`);
    expect(call?.body).to.deep.equal({
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Hi' }],
      metadata: { user_id: 'u' },
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['interleaved-thinking-2025-05-14'],
    });
    expect(call?.headers).to.not.have.any.keys('anthropic-version', 'anthropic-beta', 'x-api-key');
  });

  it('sends no member of a response that Bedrock refuses and that means the same as none', async () => {
    upstream.answer = (response) => answerJson(response, message);
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} };
    const given = [
      { type: 'text', text: 'One moment.', citations: [] },
      { type: 'text', text: 'Now.', citations: null },
      { ...call, caller: { type: 'direct' } },
    ];
    const results = [{ type: 'tool_result', tool_use_id: 't', content: 'done' }];
    await send('a/claude', {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: given },
        { role: 'user', content: results },
      ],
    });
    expect(upstream.calls[0]?.body['messages']).to.deep.equal([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'One moment.' }, { type: 'text', text: 'Now.' }, call] },
      { role: 'user', content: results },
    ]);
  });

  it('a stream of Claude is server-sent events for its client, with the vendor’s own data', async () => {
    upstream.answer = (response) => answerEvents(response, messageEvents.map(chunk));
    const reply = await send('a/claude', { stream: true });
    expect(reply.headers.get('content-type')).to.match(/^text\/event-stream/);
    expect(await reply.text()).to.equal(
      messageEvents.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
    );
    expect(upstream.calls[0]?.path).to.equal(`/model/${encodeURIComponent(CLAUDE)}/invoke-with-response-stream`);
    expect(upstream.calls[0]?.body).to.not.have.any.keys('model', 'stream');
  });

  it('a profile of the account is called by Converse, unless its target names the wire', async () => {
    upstream.answer = (response, { path }) =>
      answerJson(response, path.endsWith('/converse') ? converse('Hello') : message);
    await send('a/profile');
    await send('a/pinned');
    expect(upstream.calls.map(({ path }) => path.slice(path.lastIndexOf('/')))).to.deep.equal(['/converse', '/invoke']);
  });

  it('a stream of Converse reaches a chat client with its usage', async () => {
    upstream.answer = (response) => answerEvents(response, converseEvents);
    const reply = await chat('a/nova', { stream: true, stream_options: { include_usage: true } });
    const text = await reply.text();
    expect(text)
      .to.contain('"content":"Hel"')
      .and.to.contain('"content":"lo"')
      .and.to.contain('"finish_reason":"stop"');
    expect(text).to.contain('"prompt_tokens":5').and.to.contain('"completion_tokens":2');
    expect(upstream.calls[0]?.path).to.equal(`/model/${encodeURIComponent(NOVA)}/converse-stream`);
  });

  it('the effort of a request is the reasoning configuration of Nova', async () => {
    upstream.answer = (response) => answerJson(response, converse('Hello'));
    await chat('a/nova', { reasoning_effort: 'high' });
    expect(upstream.calls[0]?.body['additionalModelRequestFields']).to.deep.equal({
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' },
    });
  });

  it('an exception before the first content is an error with its own status, on both wires', async () => {
    upstream.answer = (response, { path }) =>
      answerEvents(
        response,
        path.endsWith('/converse-stream')
          ? [converseEvents[0] ?? exception('', ''), exception('throttlingException', 'Too many requests.')]
          : [chunk(messageEvents[0]), exception('throttlingException', 'Too many requests.')],
      );
    const replies = [await chat('a/nova', { stream: true }), await send('a/claude', { stream: true })];
    expect(replies.map(({ status }) => status)).to.deep.equal([429, 429]);
  });

  it('an exception after content ends the stream with an error in the format of the client', async () => {
    upstream.answer = (response) =>
      answerEvents(response, [
        ...messageEvents.slice(0, 3).map(chunk),
        exception('internalServerException', 'It failed.'),
      ]);
    const text = await (await send('a/claude', { stream: true })).text();
    expect(text)
      .to.contain('"text":"Hello"')
      .and.to.match(/event: error\ndata: .*"api_error"/);
  });

  it('a damaged stream is an error, never an answer', async () => {
    const bytes = writeEvents(converseEvents);
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(bytes);
    const text = await (await chat('a/nova', { stream: true })).text();
    expect(text).to.contain('"error"').and.to.not.contain('"finish_reason":"stop"');
  });

  it('no secret is in a log line', () => {
    const logged = JSON.stringify(gateway.lines);
    expect(logged).to.not.contain(SECRET).and.to.not.contain('bedrock-api-key-1');
  });
});
