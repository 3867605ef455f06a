import { expect } from 'chai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'acme-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const chunk = (delta: object, finish: string | null, usage?: object): string =>
  `data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], usage })}\n\n`;
/** The server reports the usage in its last chunk with content, unasked. */
const stream =
  chunk({ role: 'assistant', content: 'Good ' }, null) +
  chunk({ content: 'day.' }, 'stop', answer.usage) +
  'data: [DONE]\n\n';
const wires = ['chat-completions', 'messages', 'responses', 'embeddings'];
const messages = [{ role: 'user' as const, content: 'Hello' }];

const settings = {
  apiKey: 'upstream-secret-1',
  apiKeys: ['upstream-secret-2'],
  auth: { header: 'X-Acme-Key', prefix: 'Token ' },
  headers: { 'X-Acme-Team': 'search' },
  query: { 'api-version': '2024-10-21' },
  paths: { chat: '/chat/{model}', embeddings: '/embed' },
  streamOptions: false,
  body: {
    rename: { max_tokens: 'max_new_tokens', seed: 'random_seed' },
    remove: ['user', 'parallel_tool_calls'],
    set: { safe_prompt: true, temperature: 0.1 },
  },
};

describe('a vendor that differs from the wire', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({
      providers: { acme: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v2?x=1`, ...settings } } },
      models: { 'acme/one': { wires, targets: [{ provider: 'acme', model: 'org/acme 1' }] } },
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response) => answerJson(response, answer);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
    expect(JSON.stringify(gateway.lines)).to.not.include('upstream-secret');
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the server was not called');
    return call;
  };
  const post = (body: string): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    });

  it('settings of a vendor decide its path, query and headers, and each key in turn is sent as it reads it', async () => {
    const keys = new Set<unknown>();
    for (let call = 0; call < 4; call += 1) {
      await createChatClient(gateway.url).chat.completions.create({ model: 'acme/one', messages });
      expect(lastCall().path).to.equal('/v2/chat/org/acme%201?x=1&api-version=2024-10-21');
      expect(lastCall().headers).to.include({ 'x-acme-team': 'search' }).and.not.have.property('authorization');
      keys.add(lastCall().headers['x-acme-key']);
    }
    expect([...keys].every((key) => /^Token upstream-secret-[12]$/.test(String(key)))).to.equal(true);
  });

  it('members are renamed, removed and set in the bytes of the client, and what it loses is named', async () => {
    const response = await post(
      '{ "model":"acme/one","max_tokens":20, "seed":9007199254740993, "user" : "u", "temperature":0.7,\n' +
        ' "unknown":1e400,"messages":[{"role":"user","content":"Hello"}] }',
    );
    expect(response.status, await response.text()).to.equal(200);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(lastCall().raw.toString()).to.equal(
      '{ "model":"org/acme 1", "temperature":0.1,\n' +
        ' "unknown":1e400,"messages":[{"role":"user","content":"Hello"}],' +
        '"max_new_tokens":20,"random_seed":9007199254740993,"safe_prompt":true }',
    );
    const losses = response.headers.get('x-koine-losses') ?? '';
    expect(losses.split(', ')).to.have.members(['user;dropped', 'temperature;approximated']);
  });

  it('a translated request is edited as well, without a loss for what the client did not send', async () => {
    const { response } = await createMessagesClient(gateway.url)
      .messages.create({ model: 'acme/one', max_tokens: 20, messages })
      .withResponse();
    expect(lastCall().body).to.deep.include({ max_new_tokens: 20, safe_prompt: true, temperature: 0.1 });
    expect(lastCall().body).to.not.have.any.keys('max_tokens', 'user', 'stream_options');
    expect(response.headers.get('x-koine-losses')).to.equal(null);
  });

  it('a stream is requested without stream_options, and its usage is what the server reports by itself', async () => {
    upstream.answer = (response) => answerSse(response, stream);
    const before = gateway.exchanges().length;
    const chat = await createChatClient(gateway.url)
      .chat.completions.create({ model: 'acme/one', messages, stream: true })
      .withResponse();
    for await (const _part of chat.data);
    expect(lastCall().body).to.include({ stream: true }).and.not.have.property('stream_options');
    const other = await createMessagesClient(gateway.url)
      .messages.create({ model: 'acme/one', max_tokens: 9, messages, stream: true })
      .withResponse();
    for await (const _event of other.data);
    expect(lastCall().body).to.include({ stream: true }).and.not.have.property('stream_options');
    for (const { response } of [chat, other]) expect(response.headers.get('x-koine-losses')).to.equal(null);
    await gateway.settled(before + 2);
    for (const exchange of gateway.exchanges().slice(before))
      expect(exchange).to.include({ tokens_in: 3, tokens_out: 2 }).and.not.have.property('tokens_estimated');
  });

  it('stream_options of the client are dropped, and reported as a loss', async () => {
    upstream.answer = (response) => answerSse(response, stream);
    const { response } = await createChatClient(gateway.url)
      .chat.completions.create({ model: 'acme/one', messages, stream: true, stream_options: { include_usage: true } })
      .withResponse();
    await response.text();
    expect(lastCall().body).to.not.have.property('stream_options');
    expect(response.headers.get('x-koine-losses')).to.equal('stream_options;dropped');
  });
});
