import {
  ApiError,
  FunctionCallingConfigMode,
  GoogleGenAI,
  ThinkingLevel,
  Type,
  type GenerateContentConfig,
  type GenerateContentResponse,
} from '@google/genai';
import { expect } from 'chai';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createGoogleClient } from '../../matrix/clients/client-google.ts';
import { googleError } from '../../matrix/failures/failure-case.ts';
import { textAnswer, goodDay } from '../../matrix/sample-bodies.ts';
import { googleBody, googleFrames, type GoogleVendorAnswer } from '../../matrix/vendors/vendor-google.ts';
import { someTokens } from '../../matrix/wires.ts';
import { greet, isStreamed } from '../../support/calls.ts';
import { KEY } from '../../support/gateway.ts';
import { CHAT, GOOGLE, MESSAGES, RESPONSES, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, answerSse } from '../../support/upstream.ts';

const request = { model: GOOGLE, contents: 'Hello' } as const;
const weather = {
  name: 'get_weather',
  description: 'Tells the weather.',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
};
const tools = [{ functionDeclarations: [weather] }];
const busy: GoogleVendorAnswer = {
  parts: [
    { text: 'Let me see.', thought: true },
    { text: 'Checking.' },
    { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'U0lH' },
  ],
  finish: 'STOP',
};

describe('the Google SDK', () => {
  let scene: Scene;
  let client: GoogleGenAI;
  before(async () => {
    scene = await startScene();
    client = createGoogleClient(scene.gateway.url);
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const answerWith = (vendor: GoogleVendorAnswer): void => {
    scene.upstream.answer = (response, call) =>
      isStreamed(call)
        ? answerSse(response, googleFrames(vendor, someTokens).join(''))
        : void response.writeHead(200, { 'content-type': 'application/json' }).end(googleBody(vendor, someTokens));
  };
  const sentBody = (): Record<string, unknown> => scene.upstream.calls.at(-1)?.body ?? {};

  it('generateContent returns content', async () => {
    answerWith(goodDay.google);
    const response = await client.models.generateContent(request);
    expect(response).to.include({ text: 'Good day.', modelVersion: 'vendor-google', responseId: 'vendor-response' });
    expect(response.usageMetadata).to.include({ promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 });
    expect(response.sdkHttpResponse?.headers).to.include({
      'x-koine-model': GOOGLE,
      'x-koine-provider': 'google',
      'x-koine-lane': 'native',
      'x-koine-attempts': '1',
    });
    const [call] = scene.upstream.calls;
    expect(call?.path).to.equal('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(call?.headers).to.include({ 'x-goog-api-key': 'upstream-secret' }).and.to.not.have.property('authorization');
  });

  for (const apiVersion of ['v1', 'v1beta']) {
    it(`${apiVersion} is served, plain and streamed`, async () => {
      answerWith(goodDay.google);
      const versioned = new GoogleGenAI({ apiKey: KEY, apiVersion, httpOptions: { baseUrl: scene.gateway.url } });
      expect((await versioned.models.generateContent(request)).text).to.equal('Good day.');
      const texts: string[] = [];
      for await (const { text } of await versioned.models.generateContentStream(request)) texts.push(text ?? '');
      expect(texts.join('')).to.equal('Good day.');
    });
  }

  for (const model of [GOOGLE, CHAT, MESSAGES, RESPONSES]) {
    it(`generateContentStream returns content chunk by chunk, from ${model}`, async () => {
      scene.upstream.answer = greet;
      const chunks = await Array.fromAsync(await client.models.generateContentStream({ ...request, model }));
      expect(chunks.map(({ text }) => text ?? '').join('')).to.equal('Good day.');
      expect(chunks.length).to.be.above(1);
      expect(chunks.at(-1)?.candidates?.[0]?.finishReason).to.equal('STOP');
      expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).to.equal(19);
      expect(chunks.slice(0, -1).every(({ candidates }) => candidates?.[0]?.finishReason === undefined)).to.equal(true);
    });
  }

  it('thoughts, text and calls are separate parts, and the signature is on its own part', async () => {
    answerWith(busy);
    const config: GenerateContentConfig = {
      tools,
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 },
    };
    const check = (responses: readonly GenerateContentResponse[]): void => {
      const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      expect(parts.map(({ text, thought }) => (thought === true ? text : '')).join('')).to.equal('Let me see.');
      expect(parts.map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join('')).to.equal('Checking.');
      expect(parts.filter(({ thoughtSignature: signature }) => signature !== undefined)).to.deep.equal([
        { functionCall: { name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'U0lH' },
      ]);
    };
    check([await client.models.generateContent({ ...request, config })]);
    expect(sentBody()).to.deep.include({
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } },
    });
    check(await Array.fromAsync(await client.models.generateContentStream({ ...request, config })));
  });

  it('JSON for a schema in either form comes from another vendor', async () => {
    const answers = textAnswer('{"city":"Paris"}');
    answerWith(answers.google);
    const forms: readonly GenerateContentConfig[] = [
      { responseMimeType: 'application/json', responseSchema: weather.parameters },
      {
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ];
    for (const config of forms) {
      const { text } = await client.models.generateContent({ ...request, config });
      expect(JSON.parse(text ?? '')).to.deep.equal({ city: 'Paris' });
    }
    scene.upstream.answer = greet;
    for (const config of forms) {
      await client.models.generateContent({ ...request, model: CHAT, config });
      expect(sentBody()).to.have.deep.nested.property('response_format.json_schema.schema.properties', {
        city: { type: 'string' },
      });
    }
  });

  it('the chat helper continues its own history over a call and its result, at the simulator', async () => {
    const chat = client.chats.create({
      model: 'simulator/chat',
      config: { tools, thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH, includeThoughts: true } },
    });
    const chunks = await Array.fromAsync(await chat.sendMessageStream({ message: 'get_weather please' }));
    const [call] = chunks.flatMap(({ functionCalls }) => functionCalls ?? []);
    expect(call).to.deep.include({ name: 'get_weather', args: { city: 'sample' } });
    const { text } = await chat.sendMessage({
      message: [
        {
          functionResponse: omitUndefined({
            id: call?.id === undefined ? undefined : call.id,
            name: 'get_weather',
            response: { output: '18C' },
          }),
        },
      ],
    });
    expect(text).to.include('get_weather answered: 18C');
    expect((await chat.sendMessage({ message: 'Good morning' })).text).to.match(/^You said: Good morning\./);
  });

  describe('errors', () => {
    const failing = (status: number, body: unknown): void => {
      scene.upstream.answer = (response) => answerJson(response, body, status);
    };
    interface Thrown {
      readonly status: number;
      readonly error: Readonly<Record<string, unknown>>;
    }
    const catchError = async (call: Promise<unknown>): Promise<Thrown> => {
      const thrown: unknown = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(thrown instanceof ApiError)) throw new Error(`no error of the SDK: ${String(thrown)}`);
      return { status: thrown.status, error: (JSON.parse(thrown.message) as { error: Record<string, unknown> }).error };
    };
    const streamed = async (changes: object = {}): Promise<unknown> =>
      Array.fromAsync(await client.models.generateContentStream({ ...request, ...changes }));
    const plain = (changes: object = {}): Promise<unknown> => client.models.generateContent({ ...request, ...changes });

    for (const [mode, generate] of [
      ['plain', plain],
      ['streamed', streamed],
    ] as const) {
      it(`an invalid member raises ApiError with its name, ${mode}`, async () => {
        const { status, error } = await catchError(generate({ config: { temperature: 3 } }));
        expect(status).to.equal(400);
        expect(error).to.include({ code: 400, status: 'INVALID_ARGUMENT' });
        expect(error).to.have.nested.property('details[0].fieldViolations[0].field', 'generationConfig.temperature');
      });
      it(`an unknown model raises ApiError, ${mode}`, async () => {
        const { status, error } = await catchError(generate({ model: 'google/nothing' }));
        expect(status).to.equal(404);
        expect(error).to.include({ code: 404, status: 'NOT_FOUND' });
      });
      it(`a rate-limited, failing or overloaded provider raises ApiError, ${mode}`, async () => {
        failing(429, googleError(429, 'RESOURCE_EXHAUSTED', 'Slow down.'));
        expect(await catchError(generate()))
          .to.deep.include({ status: 429 })
          .and.have.nested.include({ 'error.code': 429, 'error.status': 'RESOURCE_EXHAUSTED' });
        failing(500, googleError(500, 'INTERNAL', 'Sorry.'));
        expect(await catchError(generate()))
          .to.deep.include({ status: 500 })
          .and.have.nested.include({ 'error.message': 'Sorry.' });
        failing(503, googleError(503, 'UNAVAILABLE', 'Overloaded.'));
        expect(await catchError(generate()))
          .to.deep.include({ status: 503 })
          .and.have.nested.include({ 'error.status': 'UNAVAILABLE' });
      });
    }

    it('a wrong key raises ApiError', async () => {
      const wrong = new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: scene.gateway.url } });
      const { status, error } = await catchError(wrong.models.generateContent(request));
      expect(status).to.equal(401);
      expect(error).to.deep.equal({
        message: 'Invalid API key',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
        status: 'UNAUTHENTICATED',
        details: [],
      });
    });

    for (const fault of ['error=after:3', 'cut=after:3', 'reset=after:3']) {
      it(`a failure in the middle of a stream raises ApiError (${fault})`, async () => {
        const texts: string[] = [];
        const read = async (): Promise<void> => {
          for await (const { text } of await client.models.generateContentStream({
            model: 'simulator/chat',
            contents: `Hi [[simulator ${fault}]]`,
          }))
            texts.push(text ?? '');
        };
        const thrown: unknown = await read().catch((error: unknown) => error);
        expect(thrown).to.be.instanceOf(ApiError);
        expect(texts.join('')).to.not.equal('');
      });
    }
  });

  it('abort ends a stream and a plain call', async () => {
    scene.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(googleFrames(goodDay.google, someTokens)[0]);
    };
    const logged = scene.gateway.exchanges().length;
    const stop = new AbortController();
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { text } of await client.models.generateContentStream({
        ...request,
        config: { abortSignal: stop.signal },
      })) {
        texts.push(text ?? '');
        stop.abort();
      }
    };
    expect(await read().catch((thrown: unknown) => thrown))
      .to.be.instanceOf(Error)
      .with.property('name', 'AbortError');
    expect(texts).to.deep.equal(['Good']);

    const other = new AbortController();
    scene.upstream.answer = () => other.abort();
    const call = client.models.generateContent({ ...request, config: { abortSignal: other.signal } });
    expect(await call.catch((thrown: unknown) => thrown)).to.be.instanceOf(Error);
    await scene.gateway.settled(logged + 2);
    expect(
      scene.gateway
        .exchanges()
        .slice(logged)
        .map(({ outcome }) => outcome),
    ).to.deep.equal(['client_closed', 'client_closed']);
  });
});
