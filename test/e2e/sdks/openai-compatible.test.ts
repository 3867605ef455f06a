import { expect } from 'chai';
import type OpenAI from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';

const MODEL = 'local/Qwen/Qwen3-8B';
const wires = ['chat-completions', 'messages', 'responses', 'generate-content'];
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'Qwen/Qwen3-8B',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], usage: undefined })}\n\n`;

describe('a compatible server', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let openai: OpenAI;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({
      providers: {
        local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1` } },
        keyed: {
          use: 'openai-compatible',
          config: {
            baseUrl: `${upstream.url}/deployments/d?api-version=1`,
            headers: { 'api-key': 'upstream-secret' },
            wires: ['responses'],
          },
        },
      },
      models: {
        [MODEL]: { wires, targets: [{ provider: 'local', model: 'Qwen/Qwen3-8B' }] },
        'keyed/model': { wires, targets: [{ provider: 'keyed', model: 'model' }] },
      },
    });
    openai = createChatClient(gateway.url);
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response) => answerJson(response, answer);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });
  const lastCall = (): UpstreamCall => {
    const call = upstream.calls.at(-1);
    if (call === undefined) throw new Error('the server was not called');
    return call;
  };

  it('a compatible server is called natively, with its own names for cap and instructions', async () => {
    const { data, response } = await openai.chat.completions
      .create({
        model: MODEL,
        max_completion_tokens: 20,
        stop: ['END'],
        temperature: 0.5,
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
      })
      .withResponse();
    expect(data.choices[0]?.message.content).to.equal('Good day.');
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(lastCall().path).to.equal('/v1/chat/completions');
    expect(lastCall().headers).to.not.have.property('authorization');
    expect(lastCall().body).to.deep.equal({
      model: 'Qwen/Qwen3-8B',
      max_tokens: 20,
      stop: ['END'],
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  it('a compatible server streams', async () => {
    upstream.answer = (response) =>
      answerSse(
        response,
        `${chunk({ role: 'assistant', content: 'Good ' }, null)}${chunk({ content: 'day.' }, 'stop')}data: [DONE]\n\n`,
      );
    let text = '';
    for await (const part of await openai.chat.completions.create({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    }))
      text += part.choices[0]?.delta.content ?? '';
    expect(text).to.equal('Good day.');
  });

  it('a compatible server serves a client of another wire', async () => {
    const message = await createMessagesClient(gateway.url).messages.create({
      model: MODEL,
      max_tokens: 20,
      system: 'Be brief.',
      stop_sequences: ['END'],
      tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(message.content).to.deep.include.members([{ type: 'text', text: 'Good day.', citations: [] }]);
    expect(lastCall().body)
      .to.deep.include({ model: 'Qwen/Qwen3-8B', max_tokens: 20, stop: ['END'] })
      .and.not.have.property('max_completion_tokens');
    expect(lastCall().body).to.have.nested.property('messages[0].role', 'system');
    expect(lastCall().body).to.have.nested.property('tools[0].function.name', 'get_weather');
  });

  it('a compatible server can speak responses only, at any address, with its key in any header', async () => {
    upstream.answer = (response) =>
      answerJson(response, {
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        status: 'completed',
        model: 'model',
        output: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Good day.', annotations: [] }],
          },
        ],
        usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
      });
    const { choices } = await openai.chat.completions.create({
      model: 'keyed/model',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(choices[0]?.message.content).to.equal('Good day.');
    expect(lastCall().path).to.equal('/deployments/d/responses?api-version=1');
    expect(lastCall().headers).to.include({ 'api-key': 'upstream-secret' });
  });

  it('a compatible server can refuse in any shape', async () => {
    for (const [status, body, message] of [
      [400, { object: 'error', message: 'no tools here', code: 400 }, 'no tools here'],
      [404, { error: 'model not found' }, 'model not found'],
      [422, { detail: [{ msg: 'bad role' }] }, 'bad role'],
    ] as const) {
      upstream.answer = (response) => answerJson(response, body, status);
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      expect(response.status, message).to.equal(status);
      expect(JSON.stringify(await response.json())).to.include(message);
    }
  });
});
