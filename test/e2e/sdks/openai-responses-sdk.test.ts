import { expect } from 'chai';
import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from 'openai';
import type { FunctionTool, ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { createResponsesClient } from '../../matrix/clients/client-responses.ts';
import { chatError } from '../../matrix/failures/failure-case.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { responsesBody, responsesFrames, type ResponsesVendorAnswer } from '../../matrix/vendors/vendor-responses.ts';
import { someTokens } from '../../matrix/wires.ts';
import { greet } from '../../support/calls.ts';
import { GOOGLE, MESSAGES, modelIds, RESPONSES, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';

const request = { model: RESPONSES, input: 'Hello' } as const;
const place = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather: FunctionTool = { type: 'function', name: 'get_weather', parameters: place, strict: false };
const busy: ResponsesVendorAnswer = {
  output: [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see.' }], encrypted_content: 'SIG' },
    { type: 'message', content: [{ type: 'output_text', text: 'Checking.' }] },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
  ],
};

describe('the OpenAI SDK on responses', () => {
  let scene: Scene;
  let client: OpenAI;
  before(async () => {
    scene = await startScene();
    client = createResponsesClient(scene.gateway.url);
  });
  after(() => scene.stop());

  const answerWith = (answer: ResponsesVendorAnswer): void => {
    scene.upstream.answer = (response, { body }) =>
      body['stream'] === true
        ? answerSse(response, responsesFrames(answer, someTokens).join(''))
        : void response.writeHead(200, { 'content-type': 'application/json' }).end(responsesBody(answer, someTokens));
  };

  it('responses.create returns a response', async () => {
    answerWith(goodDay.responses);
    const { data, response, request_id: id } = await client.responses.create(request).withResponse();
    expect(data).to.include({ output_text: 'Good day.', model: 'vendor-responses', status: 'completed' });
    expect(id).to.match(/^req_/);
    expect(Object.fromEntries(response.headers)).to.include({
      'x-koine-model': RESPONSES,
      'x-koine-provider': 'openai',
      'x-koine-lane': 'native',
      'x-koine-attempts': '1',
    });
  });

  for (const [lane, model] of [
    ['native', RESPONSES],
    ['translated to messages', MESSAGES],
    ['translated to generate-content', GOOGLE],
  ] as const) {
    it(`responses.create streams event by event, ${lane}`, async () => {
      scene.upstream.answer = greet;
      const events: ResponseStreamEvent[] = [];
      for await (const event of await client.responses.create({ ...request, model, stream: true })) events.push(event);
      expect(events.map(({ type }) => type.replace('response.', ''))).to.deep.equal([
        'created',
        'in_progress',
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'output_text.delta',
        'output_text.done',
        'content_part.done',
        'output_item.done',
        'completed',
      ]);
      expect(events.map(({ sequence_number: number }) => number)).to.deep.equal(events.map((_, index) => index));
      const last = events.at(-1);
      expect(
        last?.type === 'response.completed' ? [last.response.status, last.response.usage?.total_tokens] : undefined,
      ).to.deep.equal(['completed', 19]);
    });
  }

  it('the stream helper emits every part, reasoning and calls included', async () => {
    answerWith(busy);
    const texts: string[] = [];
    const inputs: string[] = [];
    const stream = client.responses.stream({
      ...request,
      tools: [weather],
      include: ['reasoning.encrypted_content'],
      store: false,
    });
    stream
      .on('response.output_text.delta', ({ delta }) => texts.push(delta))
      .on('response.function_call_arguments.delta', ({ delta }) => inputs.push(delta));
    const final = await stream.finalResponse();
    expect([texts, inputs.join('')]).to.deep.equal([['Chec', 'king.'], '{"city":"Paris"}']);
    expect(final.output.map(({ type }) => type)).to.deep.equal(['reasoning', 'message', 'function_call']);
    expect(final.output_text).to.equal('Checking.');
  });

  it('responses.parse parses a response with a schema', async () => {
    answerWith({ output: [{ type: 'message', content: [{ type: 'output_text', text: '{"city":"Paris"}' }] }] });
    const format = {
      type: 'json_schema',
      name: 'place',
      schema: place,
      strict: true,
      $parseRaw: JSON.parse,
      __output: undefined as unknown,
    };
    Object.defineProperty(format, '$brand', { value: 'auto-parseable-response-format', enumerable: false });
    const { output_parsed: parsed } = await client.responses.parse({ ...request, text: { format: format as never } });
    expect(parsed).to.deep.equal({ city: 'Paris' });
    expect(scene.upstream.calls.at(-1)?.body).to.have.nested.property('text.format.strict', true);
  });

  it('responses.create continues its own output and a call result, at the simulator', async () => {
    const model = 'simulator/chat';
    const input: ResponseInputItem[] = [{ role: 'user', content: 'get_weather please' }];
    const first = await client.responses.stream({ model, input, tools: [weather] }).finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).to.include({ name: 'get_weather', arguments: '{"city":"sample"}' });
    input.push(...(first.output as ResponseInputItem[]), {
      type: 'function_call_output',
      call_id: call?.call_id ?? '',
      output: '18C',
    });
    expect((await client.responses.create({ model, input, tools: [weather] })).output_text).to.include(
      'get_weather answered: 18C',
    );
  });

  for (const [fault, message] of [
    ['error=after:3', /./],
    ['cut=after:3', /ended before it was complete/],
    ['reset=after:3', /closed the connection/],
  ] as const) {
    it(`response.failed ends a response that the simulator breaks off (${fault})`, async () => {
      const events: ResponseStreamEvent[] = [];
      for await (const event of await client.responses.create({
        model: 'simulator/chat',
        input: `Hi [[simulator ${fault}]]`,
        stream: true,
      }))
        events.push(event);
      const last = events.at(-1);
      if (last?.type !== 'response.failed') throw new Error(`it ended with ${last?.type}`);
      expect(last.response.status).to.equal('failed');
      expect(last.response.error?.message).to.match(message);
      expect(events.filter(({ type }) => type === 'response.completed')).to.deep.equal([]);
    });
  }

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
      thrownBy(client.responses.create({ ...request, ...changes }));

    it('a wrong key raises AuthenticationError', async () => {
      const wrong = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
      const error = await thrownBy(wrong.responses.create(request));
      expect(error).to.be.instanceOf(AuthenticationError);
      expect(error).to.include({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    });
    it('an invalid member raises BadRequestError with its name', async () => {
      const error = await create({ temperature: 3 });
      expect(error).to.be.instanceOf(BadRequestError);
      expect(error).to.include({ param: 'temperature', type: 'invalid_request_error' });
    });
    it('an unknown model raises BadRequestError, streamed or not', async () => {
      for (const stream of [false, true]) {
        const error = await create({ model: 'openai/nothing', stream });
        expect(error).to.be.instanceOf(BadRequestError);
        expect(error).to.include({ status: 400, param: 'model', code: 'model_not_found' });
      }
    });
    it('provider failures raise RateLimitError and InternalServerError', async () => {
      failing(429, chatError('Slow down.', 'requests', 'rate_limit_exceeded'));
      expect(await create()).to.be.instanceOf(RateLimitError);
      failing(500, chatError('Sorry.', 'server_error'));
      expect(await create()).to.be.instanceOf(InternalServerError);
    });
  });

  it('abort ends a stream and a plain call', async () => {
    scene.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(responsesFrames(goodDay.responses, someTokens).slice(0, 5).join(''));
    };
    const logged = scene.gateway.exchanges().length;
    const stream = await client.responses.create({ ...request, stream: true });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === 'response.output_text.delta') stream.controller.abort();
    }
    expect(types).to.have.length(5);

    const stop = new AbortController();
    scene.upstream.answer = () => stop.abort();
    const call = client.responses.create(request, { signal: stop.signal });
    expect(await call.catch((thrown: unknown) => thrown)).to.be.instanceOf(APIUserAbortError);
    await scene.gateway.settled(logged + 2);
    expect(
      scene.gateway
        .exchanges()
        .slice(logged)
        .map(({ outcome }) => outcome),
    ).to.deep.equal(['client_closed', 'client_closed']);
  });

  it('models.list returns every model, whatever its wires', async () => {
    const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
    expect(ids).to.have.members([...Object.values(modelIds), 'simulator/chat']);
  });
});
