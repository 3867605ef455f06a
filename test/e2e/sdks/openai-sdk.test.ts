import { expect } from 'chai';
import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { chatBody, chatFrames } from '../../matrix/vendors/vendor-chat.ts';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { messagesBody } from '../../matrix/vendors/vendor-messages.ts';
import { someTokens } from '../../matrix/wires.ts';
import { chatError } from '../../matrix/failures/failure-case.ts';
import { CHAT, MESSAGES, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }];
const place = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'get_weather', parameters: place } };
const greeting = { message: { content: 'Good day.' }, finish: 'stop' };

describe('the OpenAI SDK', () => {
  let scene: Scene;
  let client: OpenAI;
  before(async () => {
    scene = await startScene();
    client = createChatClient(scene.gateway.url);
  });
  after(() => scene.stop());

  it('chat.completions.create completes a chat', async () => {
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(chatBody(greeting, someTokens));
    const {
      data,
      response,
      request_id: id,
    } = await client.chat.completions.create({ model: CHAT, messages }).withResponse();
    expect(data.choices[0]?.message.content).to.equal('Good day.');
    expect(data.model).to.equal('vendor-chat');
    expect(id).to.match(/^req_/);
    expect(response.headers.get('x-koine-model')).to.equal(CHAT);
    expect(response.headers.get('x-koine-provider')).to.equal('openai');
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(response.headers.get('x-koine-attempts')).to.equal('1');
    expect(response.headers.get('server-timing')).to.match(/^koine;dur=\d+\.\d\d, upstream;dur=\d+\.\d\d$/);
  });

  it('losses are returned in a header', async () => {
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(messagesBody({ content: [{ type: 'text', text: 'Good day.' }], finish: 'end_turn' }, someTokens));
    const { response } = await client.chat.completions
      .create({ model: MESSAGES, messages, seed: 7, logit_bias: { '1': 1 } })
      .withResponse();
    expect(response.headers.get('x-koine-lane')).to.equal('translated');
    expect(response.headers.get('x-koine-losses')?.split(', ')).to.have.members([
      'seed;dropped',
      'logit_bias;dropped',
      'max_tokens;injected',
    ]);
  });

  it('chat.completions.create streams, without unrequested usage', async () => {
    scene.upstream.answer = (response) => answerSse(response, chatFrames(greeting, someTokens).join(''));
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client.chat.completions.create({ model: CHAT, messages, stream: true }))
      chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).to.equal('Good day.');
    expect(chunks.every(({ choices }) => choices.length === 1)).to.equal(true);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).to.equal('stop');
  });

  it('the stream helper emits every part, tools included', async () => {
    const vendor = {
      message: {
        content: 'Checking.',
        tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
      },
      finish: 'tool_calls',
    };
    scene.upstream.answer = (response) => answerSse(response, chatFrames(vendor, someTokens).join(''));
    const contents: string[] = [];
    const calls: unknown[] = [];
    const stream = client.chat.completions.stream({ model: CHAT, messages, tools: [weather] });
    stream
      .on('content', (delta) => contents.push(delta))
      .on('tool_calls.function.arguments.done', (call) => calls.push([call.name, call.arguments]));
    const final = await stream.finalChatCompletion();
    expect(contents).to.deep.equal(['Chec', 'king.']);
    expect(calls).to.deep.equal([['get_weather', '{"city":"Paris"}']]);
    expect(final.choices[0]?.finish_reason).to.equal('tool_calls');
  });

  it('chat.completions.parse parses a response with a schema', async () => {
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(chatBody({ message: { content: '{"city":"Paris"}' }, finish: 'stop' }, someTokens));
    const format = {
      type: 'json_schema',
      json_schema: { name: 'place', schema: place, strict: true },
      $parseRaw: JSON.parse,
      __output: undefined as unknown,
    };
    Object.defineProperty(format, '$brand', { value: 'auto-parseable-response-format', enumerable: false });
    const { choices } = await client.chat.completions.parse({
      model: CHAT,
      messages,
      response_format: format as never,
    });
    expect(choices[0]?.message.parsed).to.deep.equal({ city: 'Paris' });
    expect(scene.upstream.calls.at(-1)?.body['response_format']).to.have.nested.property('json_schema.strict', true);
  });

  describe('errors', () => {
    const failing = (status: number, body: unknown): void => {
      scene.upstream.answer = (response) => answerJson(response, body, status);
    };
    const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    const create = (changes: object = {}): Promise<unknown> =>
      thrownBy(client.chat.completions.create({ model: CHAT, messages, ...changes }));

    it('a wrong key raises AuthenticationError', async () => {
      const wrong = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
      const error = await thrownBy(wrong.chat.completions.create({ model: CHAT, messages }));
      expect(error).to.be.instanceOf(AuthenticationError);
      expect(error).to.include({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    });
    it('an invalid member raises BadRequestError with its name', async () => {
      const error = await create({ temperature: 3 });
      expect(error).to.be.instanceOf(BadRequestError);
      expect(error).to.include({ param: 'temperature', type: 'invalid_request_error' });
    });
    it('an unknown model raises NotFoundError', async () => {
      const error = await create({ model: 'openai/nothing' });
      expect(error).to.be.instanceOf(NotFoundError);
      expect(error).to.include({ param: 'model', code: 'model_not_found' });
    });
    it('provider failures raise RateLimitError and InternalServerError', async () => {
      failing(429, chatError('Slow down.', 'requests', 'rate_limit_exceeded'));
      expect(await create()).to.be.instanceOf(RateLimitError);
      failing(500, chatError('Sorry.', 'server_error'));
      expect(await create()).to.be.instanceOf(InternalServerError);
    });
  });

  it('models.list returns the models, models.retrieve one', async () => {
    const ids: string[] = [];
    for await (const { id, object, owned_by: owner } of client.models.list()) {
      ids.push(id);
      expect([object, owner]).to.deep.equal(['model', id.split('/')[0]]);
    }
    expect(ids).to.have.members([...Object.values(modelIds), 'simulator/chat']);
    expect(await client.models.retrieve(CHAT)).to.include({ id: CHAT, object: 'model' });
    const missing: unknown = await client.models.retrieve('openai/nothing').catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(NotFoundError);
  });

  it('abort ends a stream and a plain call', async () => {
    scene.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chatFrames(greeting, someTokens).slice(0, 2).join(''));
    };
    const logged = scene.gateway.exchanges().length;
    const stream = await client.chat.completions.create({ model: CHAT, messages, stream: true });
    const texts: string[] = [];
    for await (const { choices } of stream) {
      texts.push(choices[0]?.delta.content ?? '');
      if (texts.length === 2) stream.controller.abort();
    }
    expect(texts.join('')).to.equal('Good');

    const stop = new AbortController();
    scene.upstream.answer = () => stop.abort();
    const call = client.chat.completions.create({ model: CHAT, messages }, { signal: stop.signal });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(APIUserAbortError);
    await scene.gateway.settled(logged + 2);
    expect(
      scene.gateway
        .exchanges()
        .slice(logged)
        .map(({ outcome }) => outcome),
    ).to.deep.equal(['client_closed', 'client_closed']);
  });
});
