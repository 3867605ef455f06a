import Anthropic, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { messagesError } from '../../matrix/failures/failure-case.ts';
import { messagesBody, messagesFrames } from '../../matrix/vendors/vendor-messages.ts';
import { someTokens } from '../../matrix/wires.ts';
import { MESSAGES, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';

const request = {
  model: MESSAGES,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;
const weather: Anthropic.Tool = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const greeting = { content: [{ type: 'text', text: 'Good day.' }], finish: 'end_turn' };

describe('the Anthropic SDK', () => {
  let scene: Scene;
  let client: Anthropic;
  before(async () => {
    scene = await startScene();
    client = createMessagesClient(scene.gateway.url);
  });
  after(() => scene.stop());

  it('messages.create returns a message', async () => {
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(messagesBody(greeting, someTokens));
    const { data, response, request_id: id } = await client.messages.create(request).withResponse();
    expect(data.content).to.deep.equal([{ type: 'text', text: 'Good day.' }]);
    expect(data.model).to.equal('vendor-messages');
    expect(id).to.match(/^req_/);
    expect(response.headers.get('x-koine-model')).to.equal(MESSAGES);
    expect(response.headers.get('x-koine-lane')).to.equal('native');
  });

  it('the stream helper emits every part, thinking and tools included', async () => {
    const content = [
      { type: 'thinking', thinking: 'Let me see.', signature: 'SIG' },
      { type: 'text', text: 'Checking.' },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
    ];
    scene.upstream.answer = (response) =>
      answerSse(response, messagesFrames({ content, finish: 'tool_use' }, someTokens).join(''));
    const texts: string[] = [];
    const thoughts: string[] = [];
    const signatures: string[] = [];
    const stream = client.messages.stream({
      ...request,
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [weather],
    });
    stream
      .on('text', (text) => texts.push(text))
      .on('thinking', (thought) => thoughts.push(thought))
      .on('signature', (signature) => signatures.push(signature));
    const final = await stream.finalMessage();
    expect([texts.join(''), thoughts.join(''), signatures]).to.deep.equal(['Checking.', 'Let me see.', ['SIG']]);
    expect(final.content).to.deep.equal(content);
    expect(final.stop_reason).to.equal('tool_use');
  });

  describe('errors', () => {
    const failing = (status: number, body: unknown): void => {
      scene.upstream.answer = (response) => answerJson(response, body, status);
    };
    const create = (changes: object = {}): Promise<unknown> =>
      client.messages.create({ ...request, ...changes }).then(
        () => undefined,
        (error: unknown) => error,
      );

    it('a wrong key raises AuthenticationError', async () => {
      const wrong = new Anthropic({ apiKey: 'sk-wrong', baseURL: scene.gateway.url, maxRetries: 0 });
      const error: unknown = await wrong.messages.create(request).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(AuthenticationError);
      expect(error).to.include({ status: 401, type: 'invalid_request_error' });
    });
    it('an invalid request raises BadRequestError with the wrong member', async () => {
      const error = await create({ temperature: 3 });
      expect(error).to.be.instanceOf(BadRequestError);
      expect((error as Error).message).to.include("'temperature'");
    });
    it('an unknown model raises NotFoundError', async () => {
      const error = await create({ model: 'anthropic/nothing' });
      expect(error).to.be.instanceOf(NotFoundError);
      expect(error).to.include({ type: 'not_found_error' });
    });
    it('provider failures raise RateLimitError and InternalServerError', async () => {
      failing(429, messagesError('rate_limit_error', 'Slow down.'));
      expect(await create()).to.be.instanceOf(RateLimitError);
      failing(500, messagesError('api_error', 'Sorry.'));
      expect(await create()).to.be.instanceOf(InternalServerError);
    });
  });

  it('models.list pages through the models, models.retrieve returns one', async () => {
    const ids: string[] = [];
    for await (const { id, type } of client.models.list({ limit: 2 })) {
      ids.push(id);
      expect(type).to.equal('model');
    }
    expect(ids).to.have.members([...Object.values(modelIds), 'simulator/chat']);
    expect(await client.models.retrieve(MESSAGES)).to.include({ id: MESSAGES, type: 'model' });
    const missing: unknown = await client.models.retrieve('anthropic/nothing').catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(NotFoundError);
  });

  it('abort ends a stream and a plain call', async () => {
    scene.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(messagesFrames(greeting, someTokens).slice(0, 4).join(''));
    };
    const logged = scene.gateway.exchanges().length;
    const stream = client.messages.stream(request);
    const texts: string[] = [];
    stream.on('text', (text) => {
      texts.push(text);
      stream.abort();
    });
    const cut: unknown = await stream.finalMessage().catch((thrown: unknown) => thrown);
    expect(cut).to.be.instanceOf(APIUserAbortError);
    expect(texts).to.deep.equal(['Good']);

    const stop = new AbortController();
    scene.upstream.answer = () => stop.abort();
    const call = client.messages.create(request, { signal: stop.signal });
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
