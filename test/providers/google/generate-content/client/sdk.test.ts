import { readFileSync } from 'node:fs';
import { ApiError, FunctionCallingConfigMode, ThinkingLevel, type GenerateContentResponse } from '@google/genai';
import { expect } from 'chai';
import { GatewayError, type GenerateResponse } from '../../../../../core/api/index.ts';
import type { GenerateEvent, ModelEntry } from '../../../../../core/api/codec.ts';
import {
  clientSide,
  decodeAsked,
  delta,
  end,
  finished,
  golden,
  respond,
  start,
  text,
  usage,
  withSdk,
  writeSse,
} from './harness.ts';

const goldenFile = readFileSync(new URL('../../../../fixtures/golden/generate-content.sse', import.meta.url), 'utf8');

/** What a user of the SDK sees of a stream. */
interface Seen {
  text: string;
  thoughts: string;
  calls: unknown[];
  finish: string | undefined;
  usage: unknown;
  model: string | undefined;
  id: string | undefined;
}
/** As `.text` of the SDK, which warns where calls stand beside it. */
const textOf = (answer: GenerateContentResponse): string =>
  (answer.candidates?.[0]?.content?.parts ?? [])
    .map((part) => (part.thought === true ? '' : (part.text ?? '')))
    .join('');

const watch = async (stream: AsyncIterable<GenerateContentResponse>): Promise<Seen> => {
  const seen: Seen = {
    text: '',
    thoughts: '',
    calls: [],
    finish: undefined,
    usage: undefined,
    model: undefined,
    id: undefined,
  };
  for await (const chunk of stream) {
    const [candidate] = chunk.candidates ?? [];
    seen.text += textOf(chunk);
    seen.thoughts += (candidate?.content?.parts ?? [])
      .map((part) => (part.thought === true ? (part.text ?? '') : ''))
      .join('');
    seen.calls.push(...(chunk.functionCalls ?? []));
    seen.finish = candidate?.finishReason ?? seen.finish;
    seen.usage = chunk.usageMetadata ?? seen.usage;
    seen.model = chunk.modelVersion;
    seen.id = chunk.responseId;
  }
  return seen;
};

const ask = { model: 'openai/gpt-4o', contents: 'hi' };
const receive = async (sse: string): Promise<Seen> => {
  let seen: Seen | undefined;
  await withSdk([{ text: sse }], async (sdk) => {
    seen = await watch(await sdk.models.generateContentStream(ask));
  });
  if (seen === undefined) throw new Error('nothing was received');
  return seen;
};
const catchReason = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('generate-content: the official SDK', () => {
  it('the SDK reads the same from the written stream as from the golden one', async () => {
    const wanted = await receive(goldenFile);
    expect(wanted).to.deep.include({ text: 'Checking.', thoughts: 'Let me check.', finish: 'STOP' });
    expect(await receive(writeSse(golden))).to.deep.equal(wanted);
  });

  it('the SDK keeps every turn of a chat (E27): turns that end with a call, and texts with a last empty part', async () => {
    const answers = [
      { text: writeSse(golden) },
      { text: writeSse([start, ...text(0, 'Sun', 'ny.'), { type: 'usage', usage }, ...finished()]) },
    ];
    await withSdk(answers, async (sdk, asked) => {
      const chat = sdk.chats.create({ model: 'p/m', config: { thinkingConfig: { includeThoughts: true } } });
      await watch(await chat.sendMessageStream({ message: 'Weather?' }));
      const responses = [
        { functionResponse: { id: 'call_1', name: 'get_weather', response: { output: '18C' } } },
        { functionResponse: { id: 'call_2', name: 'get_time', response: { output: '12:00' } } },
      ];
      await watch(await chat.sendMessageStream({ message: responses }));
      const history = chat.getHistory(true);
      expect(history).to.have.length(chat.getHistory().length);
      expect(history.filter(({ role }) => role === 'user')).to.have.length(2);
      expect(history.at(-1)).to.deep.equal({ role: 'model', parts: [{ text: '' }] });
      const { request } = decodeAsked(asked[1] ?? { method: '', path: '', query: {}, headers: {}, body: {} });
      expect(request.turns.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).to.deep.equal([
        ['user', ['text']],
        ['assistant', ['reasoning', 'text', 'tool-call', 'tool-call']],
        ['user', ['tool-result', 'tool-result']],
      ]);
    });
  });

  it('the SDK reads a plain response with thoughts, text and calls, also through the chat', async () => {
    const response: GenerateResponse = {
      id: 'r1',
      model: 'p/m',
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'Hm.', proof: { origin: undefined, value: 'U0lH' } },
            { type: 'text', text: 'Asking.' },
            { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', input: '{"a":1}' },
          ],
          finish: { reason: 'tool_calls' },
        },
      ],
      usage,
    };
    await withSdk([{ text: JSON.stringify(respond(response)) }], async (sdk) => {
      const chat = sdk.chats.create({ model: 'p/m' });
      const answer = await chat.sendMessage({ message: 'hi' });
      expect(textOf(answer)).to.equal('Asking.');
      expect(answer.functionCalls).to.deep.equal([{ id: 'c1', name: 'f', args: { a: 1 } }]);
      expect(answer.usageMetadata).to.deep.include({
        promptTokenCount: 4512,
        cachedContentTokenCount: 4000,
        candidatesTokenCount: 30,
        thoughtsTokenCount: 60,
        totalTokenCount: 4602,
      });
      expect(chat.getHistory(true)).to.have.length(2);
    });
  });

  it('the SDK keeps the turn of a response without content', async () => {
    await withSdk(
      [
        { text: writeSse([start, ...finished()]) },
        { text: JSON.stringify(respond({ choices: [{ parts: [], finish: { reason: 'stop' } }] })) },
      ],
      async (sdk) => {
        const chat = sdk.chats.create({ model: 'p/m' });
        await watch(await chat.sendMessageStream({ message: 'a' }));
        const plain = await chat.sendMessage({ message: 'b' });
        expect(plain.text).to.equal('');
        expect(chat.getHistory(true).map(({ role }) => role)).to.deep.equal(['user', 'model', 'user', 'model']);
      },
    );
  });

  it('the SDK throws on an error in a stream, as its first chunk and after content (E30, E32)', async () => {
    const cut: GenerateEvent = { type: 'error', error: new GatewayError('upstream_truncated') };
    const call: readonly GenerateEvent[] = [
      { type: 'part-start', choice: 0, part: 0, kind: 'tool-call', call: { id: 'c', name: 'f', kind: 'function' } },
      delta(0, '{"a":'),
    ];
    for (const events of [
      [cut],
      [start, ...text(0, 'part'), cut],
      [start, ...call, cut],
      [start, ...call, delta(0, '1}'), end(0), cut],
    ]) {
      const thrown = await catchReason(receive(writeSse(events)));
      expect(thrown).to.be.instanceOf(ApiError);
      expect((thrown as ApiError).status).to.equal(502);
    }
  });

  it('the SDK recognises gateway errors by their status, and shows the body', async () => {
    const errors = [
      new GatewayError('invalid_api_key'),
      new GatewayError('rate_limit_exceeded', undefined, { retryAfterMs: 1_500 }),
      new GatewayError('upstream_overloaded'),
    ];
    const answers = errors.map((error) => {
      const { status, headers, body } = clientSide.encodeError(error, { requestId: 'request-1' });
      return { status, headers, text: JSON.stringify(body) };
    });
    await withSdk(answers, async (sdk) => {
      for (const [status, word] of [
        [401, 'Invalid API key'],
        [429, '"retryDelay":"2s"'],
        [503, 'UNAVAILABLE'],
      ] as const) {
        const thrown = (await catchReason(sdk.models.generateContent(ask))) as ApiError;
        expect(thrown).to.be.instanceOf(ApiError);
        expect(thrown.status).to.equal(status);
        expect(thrown.message).to.include(word);
      }
    });
  });

  it('E40 the SDK sends a model with a slash in the path, and every setting of a request is read', async () => {
    await withSdk(
      [{ text: JSON.stringify(respond({ choices: [{ parts: [], finish: { reason: 'stop' } }] })) }],
      async (sdk, asked) => {
        await sdk.models.generateContent({
          ...ask,
          config: {
            systemInstruction: 'Be brief.',
            temperature: 0.5,
            topP: 0.9,
            topK: 40,
            candidateCount: 2,
            maxOutputTokens: 100,
            stopSequences: ['END'],
            seed: 7,
            presencePenalty: 0.1,
            frequencyPenalty: 0.2,
            responseMimeType: 'application/json',
            responseSchema: { type: 'OBJECT' as never, properties: { a: { type: 'STRING' as never } } },
            thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.LOW },
            tools: [
              { functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: { type: 'object' } }] },
            ],
            toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['f'] } },
          },
        });
        const [first] = asked;
        if (first === undefined) throw new Error('nothing was asked');
        expect(clientSide.models?.recognises?.({ path: '/v1/models', headers: first.headers, query: {} })).to.equal(
          true,
        );
        const { model, request, framing } = decodeAsked(first);
        expect(model).to.equal('openai/gpt-4o');
        expect(framing).to.equal(undefined);
        expect(request).to.deep.include({
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          choices: 2,
          maxTokens: 100,
          stop: ['END'],
          seed: 7,
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
          output: { type: 'schema', schema: { type: 'object', properties: { a: { type: 'string' } } } },
          reasoning: { effort: 'low', show: true },
          toolChoice: { mode: 'required', only: ['f'] },
          extra: { wire: 'generate-content', members: {} },
        });
        expect(request.tools).to.deep.equal([
          { name: 'f', kind: 'function', description: 'd', schema: { type: 'object' } },
        ]);
        expect(request.turns).to.deep.equal([
          { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        ]);
      },
    );
  });

  it('the SDK lists models page by page, and reads one', async () => {
    const models = ['a/1', 'a/2', 'b/c/3'].map((id): ModelEntry => ({
      id,
      provider: 'a',
      wires: ['generate-content'],
      capabilities: { contextTokens: 1_000, maxOutput: 10 },
      created: 0,
    }));
    const page = (query: Readonly<Record<string, string>>) => ({
      text: JSON.stringify(clientSide.models?.list(models, query)),
    });
    const [, , third] = models;
    if (third === undefined) throw new Error('three models');
    await withSdk(
      [
        page({ pageSize: '2' }),
        page({ pageSize: '2', pageToken: 'a/2' }),
        { text: JSON.stringify(clientSide.models?.one(third)) },
      ],
      async (sdk, asked) => {
        const seen: (string | undefined)[] = [];
        for await (const model of await sdk.models.list({ config: { pageSize: 2 } })) seen.push(model.name);
        expect(seen).to.deep.equal(['models/a/1', 'models/a/2', 'models/b/c/3']);
        expect(asked[1]?.query).to.deep.include({ pageToken: 'a/2' });
        const model = await sdk.models.get({ model: 'b/c/3' });
        expect(asked[2]?.path).to.equal('/v1/models/b/c/3');
        expect(model).to.deep.include({ name: 'models/b/c/3', inputTokenLimit: 1_000, outputTokenLimit: 10 });
      },
    );
  });
});
