import { expect } from 'chai';
import type { Context } from 'mocha';
import type {
  GenerateResponse,
  JsonObject,
  ProviderDefinition,
  EndpointWire,
  UpstreamReply,
} from '../../../core/api/index.ts';
import {
  type AnyCodec,
  type Codec,
  type GenerateEvent,
  type ReadContext,
  foldEvents,
} from '../../../core/api/codec.ts';
import simulator from '../../../providers/simulator/index.ts';
import { createServices, readText, send } from './simulate.ts';

const vendors = ['openai', 'anthropic', 'google', 'openai-compatible'];
const registered: AnyCodec[] = [];
const reading: ReadContext = { origin: { provider: 'simulator', family: 'simulator' }, turn: 1, lose: () => undefined };

const loadCodecs = async (): Promise<void> => {
  for (const vendor of vendors) {
    try {
      const module = (await import(new URL(`../../../providers/${vendor}/index.ts`, import.meta.url).href)) as {
        readonly default: ProviderDefinition;
      };
      registered.push(...(module.default.codecs ?? []));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
  }
};

interface Line {
  readonly codec: Codec<'generate'>;
  readonly speech: EndpointWire;
}
/** The simulator on one wire, with that wire's codec. Skips the test when no provider has the codec. */
const speak = async (test: Context, wire: string, model: string): Promise<Line> => {
  const services = createServices(registered);
  const codec = services.codec('generate', wire);
  const speech = (await simulator.create({}, services))
    .endpoint(model)
    .wires.find((one) => one.operation === 'generate' && one.wire === wire);
  if (codec === undefined || speech === undefined) return test.skip();
  return { codec, speech };
};

const readStream = async ({
  codec,
  reply,
}: {
  readonly codec: Codec<'generate'>;
  readonly reply: UpstreamReply;
}): Promise<readonly GenerateEvent[]> => {
  const events: GenerateEvent[] = [];
  const decoder = codec.upstream?.decodeStream?.(reading);
  for (const frame of (await readText(reply)).split('\n\n').filter((text) => text !== '')) {
    decoder?.push({ event: /^event: (.*)$/m.exec(frame)?.[1], data: /^data: (.*)$/m.exec(frame)?.[1] ?? '' }, (event) =>
      events.push(event),
    );
  }
  decoder?.end((event) => events.push(event));
  return events;
};

const S = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
/** The same request on each wire: reasoning, one tool, and a cap that is not reached. */
const requests: Readonly<Record<string, (text: string, stream: boolean) => JsonObject>> = {
  'chat-completions': (text, stream) => ({
    model: 'chat',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: text },
    ],
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'get_weather', parameters: S } }],
    max_completion_tokens: 2_000,
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),
  'messages': (text, stream) => ({
    model: 'chat',
    system: 'Be kind.',
    messages: [{ role: 'user', content: text }],
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    tools: [{ name: 'get_weather', input_schema: S }],
    max_tokens: 2_000,
    stream,
  }),
  'responses': (text, stream) => ({
    model: 'chat',
    instructions: 'Be kind.',
    input: text,
    reasoning: { effort: 'low', summary: 'auto' },
    tools: [{ type: 'function', name: 'get_weather', parameters: S }],
    max_output_tokens: 2_000,
    stream,
  }),
  'generate-content': (text) => ({
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    contents: [{ role: 'user', parts: [{ text }] }],
    tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: S }] }],
    generationConfig: { maxOutputTokens: 2_000, thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } },
  }),
};

const textOf = ({ choices }: GenerateResponse): string =>
  (choices[0]?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const kindsOf = ({ choices }: GenerateResponse): readonly string[] => (choices[0]?.parts ?? []).map(({ type }) => type);
/** What plain and streamed responses must have in common. */
const essence = (response: GenerateResponse) => ({
  text: textOf(response),
  calls: (response.choices[0]?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call' ? [[part.name, part.input]] : [],
  ),
  finish: response.choices[0]?.finish.reason,
  output: response.usage?.output,
});

describe('simulator: the registered wires', () => {
  before(loadCodecs);

  it('serves every generation wire that has a codec, chat-completions first', async () => {
    const known = ['chat-completions', 'messages', 'responses', 'generate-content', 'completions', 'interactions'];
    const expected = known.filter((wire) =>
      registered.some((codec) => codec.operation === 'generate' && codec.wire === wire),
    );
    const wires = (await simulator.create({}, createServices(registered)))
      .endpoint('chat')
      .wires.filter(({ operation }) => operation === 'generate')
      .map(({ wire }) => wire);
    expect(wires).to.deep.equal(expected);
    expect(wires.slice(0, 2)).to.deep.equal(['chat-completions', 'messages']);
  });

  it('creates nothing for a model that all models share: a catalog can have ten thousand', async () => {
    const provider = await simulator.create({}, createServices(registered));
    const built = ['first', 'second'].flatMap((model) => provider.endpoint(model).wires);
    expect(new Set(built.map(({ buildRequest }) => buildRequest)).size).to.equal(1);
  });

  for (const [wire, compose] of Object.entries(requests)) {
    describe(wire, () => {
      const plain = async ({ codec, speech }: Line, text: string): Promise<GenerateResponse> => {
        const reply = await send(speech, { body: compose(text, false) });
        const body: unknown = JSON.parse(await readText(reply));
        expect(reply.status, JSON.stringify(body)).to.equal(200);
        if (codec.upstream === undefined) throw new Error(`${wire} has no upstream side.`);
        return codec.upstream.decodeResponse(body, reading);
      };
      const streamed = async (line: Line, text: string): Promise<readonly GenerateEvent[]> => {
        const reply = await send(line.speech, { body: compose(text, true), stream: true });
        return readStream({ codec: line.codec, reply });
      };

      it('returns the same response plain and streamed', async function () {
        const line = await speak(this, wire, 'chat');
        const one = await plain(line, 'Good morning');
        const other = foldEvents(await streamed(line, 'Good morning'));
        expect(textOf(one)).to.match(/^You said: Good morning\. /);
        expect(essence(other)).to.deep.equal(essence(one));
        expect(kindsOf(one)).to.include('reasoning');
        expect(kindsOf(other)).to.include('reasoning');
      });

      it('the simulator calls a tool that is named', async function () {
        const line = await speak(this, wire, 'chat');
        const expected = { text: '', calls: [['get_weather', '{"city":"sample"}']], finish: 'tool_calls' };
        expect(essence(await plain(line, 'get_weather please'))).to.deep.include(expected);
        expect(essence(foldEvents(await streamed(line, 'get_weather please')))).to.deep.include(expected);
      });

      it('the simulator reports pinned counts', async function () {
        const line = await speak(this, wire, 'chat?inputTokens=512&cacheReadTokens=4000&outputTokens=90');
        const pinned = { inputUncached: 512, cacheRead: 4_000, output: 90 };
        expect((await plain(line, 'Hi')).usage).to.include(pinned);
        expect(foldEvents(await streamed(line, 'Hi')).usage).to.include(pinned);
      });

      it('writes no counts with usage=none', async function () {
        const { usage } = await plain(await speak(this, wire, 'chat?usage=none'), 'Hi');
        expect([usage?.inputUncached ?? 0, usage?.output ?? 0]).to.deep.equal([0, 0]);
      });

      it('fails with a status that the wire classifies as requested', async function () {
        for (const [status, failure] of [
          [400, 'caller-fault'],
          [401, 'credential'],
          [429, 'rate-limit'],
          [503, 'overloaded'],
          [529, 'overloaded'],
        ] as const) {
          const { codec, speech } = await speak(this, wire, `chat?status=${status}&retryAfter=2`);
          const reply = await send(speech, { body: compose('Hi', true), stream: true });
          const error = codec.upstream?.decodeError({
            status: reply.status,
            headers: reply.headers,
            body: JSON.parse(await readText(reply)) as unknown,
          });
          expect(reply.status).to.equal(status);
          expect(error, String(status)).to.include({ failure, retryAfterMs: 2_000 });
        }
      });

      it('rejects an unknown directive in the shape of the wire', async function () {
        const { codec, speech } = await speak(this, wire, 'chat?stauts=429');
        const reply = await send(speech, { body: compose('Hi', false) });
        const error = codec.upstream?.decodeError({
          status: reply.status,
          headers: reply.headers,
          body: JSON.parse(await readText(reply)) as unknown,
        });
        expect(error).to.include({ status: 400, failure: 'caller-fault' });
        expect(error?.message).to.contain('stauts');
      });

      it('breaks off in ways that the wire recognises as failures', async function () {
        for (const fault of ['error=before', 'error=after:3', 'cut=before', 'cut=after:3', 'cut=after:1000']) {
          const events = await streamed(await speak(this, wire, `chat?${fault}`), 'Hi');
          expect(events.at(-1)?.type, fault).to.equal('error');
          expect(
            events.filter(({ type }) => type === 'error' || type === 'response-end'),
            fault,
          ).to.have.length(1);
        }
      });
    });
  }
});
