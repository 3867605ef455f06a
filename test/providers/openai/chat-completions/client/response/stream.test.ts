import { expect } from 'chai';
import OpenAI, { APIError } from 'openai';
import { GatewayError, type GenerateResponse, type Part } from '../../../../../../core/api/index.ts';
import { sealProof, unfoldResponse, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import { decode, foldChunks, readSse, writeFrames, writeSse } from '../../harness.ts';

const usage = {
  inputUncached: 12,
  cacheRead: 4_000,
  cacheWrite5m: 500,
  cacheWrite1h: 0,
  output: 90,
  reasoning: 60,
  source: 'provider',
} as const;
const proof = { origin: { provider: 'a', family: 'anthropic' }, value: 'SIG' };
const golden: GenerateResponse = {
  id: 'chatcmpl-1',
  model: 'p/m',
  choices: [
    {
      parts: [
        { type: 'reasoning', text: 'Let me check.', proof },
        { type: 'text', text: 'Checking.' },
        { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Paris"}' },
        { type: 'tool-call', id: 'call_2', name: 'get_time', kind: 'function', input: '' },
      ],
      finish: { reason: 'tool_calls' },
    },
  ],
  usage,
};
const eventsOf = (response: GenerateResponse): readonly GenerateEvent[] => {
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => events.push(event));
  return events;
};
const withUsage = decode({ stream: true, stream_options: { include_usage: true } });
interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function: { readonly arguments: string };
}
interface Chunk {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly delta: { readonly tool_calls?: readonly CallDelta[]; readonly reasoning_details?: readonly unknown[] };
  }[];
}
const chunksOf = (frames: readonly string[]) =>
  frames.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as Chunk);

/** The official SDK, reading the bytes of the client encoder. */
const sdkOn = (bytes: string) =>
  new OpenAI({
    apiKey: 'k',
    maxRetries: 0,
    fetch: async () => new Response(bytes, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }),
  });
const accumulate = (bytes: string) =>
  sdkOn(bytes).chat.completions.stream({ model: 'm', messages: [], stream_options: { include_usage: true } });

describe('chat-completions: client stream', () => {
  it('writes the golden conversation as the SDK expects it', async () => {
    const stream = accumulate(writeSse(eventsOf(golden), withUsage));
    const completion = await stream.finalChatCompletion();
    const [choice] = completion.choices;
    expect(completion).to.include({ id: 'chatcmpl-1', model: 'p/m', created: 1_763 });
    expect(choice?.finish_reason).to.equal('tool_calls');
    expect(choice?.message).to.deep.include({
      role: 'assistant',
      content: 'Checking.',
      reasoning_content: 'Let me check.',
    });
    expect(
      choice?.message.tool_calls?.map((call) => ({
        ...call,
        function: { ...('function' in call ? call.function : {}), parsed_arguments: undefined },
      })),
    ).to.deep.equal([
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Paris"}', parsed_arguments: undefined },
      },
      { id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '{}', parsed_arguments: undefined } },
    ]);
    expect(await stream.totalUsage()).to.deep.include({
      prompt_tokens: 4_512,
      completion_tokens: 90,
      total_tokens: 4_602,
    });
  });

  it('writes interleaved choices that the SDK can read', async () => {
    const text = (choice: number, value: string): GenerateEvent[] => [
      { type: 'part-delta', choice, part: 0, text: value },
    ];
    const open = (choice: number): GenerateEvent => ({ type: 'part-start', choice, part: 0, kind: 'text' });
    const close = (choice: number): readonly GenerateEvent[] => [
      { type: 'part-end', choice, part: 0 },
      { type: 'choice-end', choice, finish: { reason: 'stop' } },
    ];
    const bytes = writeSse([
      { type: 'response-start' },
      open(0),
      ...text(0, 'a'),
      open(1),
      ...text(1, 'x'),
      ...text(0, 'b'),
      ...text(1, 'y'),
      ...close(1),
      ...close(0),
      { type: 'response-end' },
    ]);
    const completion = await accumulate(bytes).finalChatCompletion();
    expect(completion.choices.map(({ index, message }) => [index, message.content])).to.deep.equal([
      [0, 'ab'],
      [1, 'xy'],
    ]);
  });

  it('writes refusals, images and custom calls that the SDK can read', async () => {
    const refused = await accumulate(
      writeSse(
        eventsOf({
          choices: [{ parts: [{ type: 'refusal', text: 'No.' }], finish: { reason: 'refusal', vendor: 'stop' } }],
        }),
      ),
    ).finalChatCompletion();
    expect(refused.choices[0]?.message.refusal).to.equal('No.');
    const explained = writeFrames(
      eventsOf({ choices: [{ parts: [], finish: { reason: 'refusal', explanation: 'X' } }] }),
    );
    expect(explained.join('')).to.contain('"refusal":"X"').and.to.contain('"finish_reason":"content_filter"');
    const both = writeFrames(
      eventsOf({
        choices: [{ parts: [{ type: 'refusal', text: 'No.' }], finish: { reason: 'refusal', explanation: 'X' } }],
      }),
    );
    expect(both.join('')).to.contain('"refusal":"No."').and.to.not.contain('"X"');
    const bytes = writeSse(
      eventsOf({
        choices: [
          {
            parts: [
              { type: 'media', media: { mediaType: 'image/png', base64: 'QQ==' } },
              { type: 'tool-call', id: 'c', name: 'patch', kind: 'custom', input: '***' },
            ],
            finish: { reason: 'tool_calls' },
          },
        ],
      }),
    );
    const calls = readSse(bytes).filter((event) => event.type === 'part-start');
    expect(calls.map((event) => event.kind)).to.deep.equal(['media', 'tool-call']);
    expect(bytes).to.contain('"type":"custom","custom":{"name":"patch","input":""}');
  });

  it('E28: starts with the role and ends with one finish per choice, the usage and [DONE]', () => {
    const frames = writeFrames(eventsOf(golden), withUsage);
    expect(frames.at(-1)).to.equal('[DONE]');
    const chunks = chunksOf(frames);
    expect(chunks[0]).to.deep.equal({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_763,
      model: 'p/m',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      usage: null,
    });
    expect(chunks.at(-1)).to.deep.include({ choices: [] });
    expect(chunks.at(-2)).to.deep.include({
      choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'tool_calls' }],
      usage: null,
    });
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).to.equal(1);
  });

  it('writes the role as soon as the response starts', () => {
    expect(writeFrames([{ type: 'response-start' }])).to.have.length(1);
  });

  it('generates an id and a model name when the provider sent none', () => {
    const [first] = chunksOf(writeFrames([{ type: 'response-start', id: '' }]));
    expect([first?.id, first?.model]).to.deep.equal(['chatcmpl-1', 'unknown']);
  });

  it('writes usage only for clients that requested it', () => {
    expect(writeFrames(eventsOf(golden)).join('')).to.not.contain('usage');
    expect(writeFrames(eventsOf({ ...golden, usage: { ...usage, tier: 'flex' } }), withUsage).at(-2)).to.contain(
      '"service_tier":"flex"',
    );
  });

  it('E7: writes a call without arguments as an empty string and then {}', () => {
    const calls = chunksOf(writeFrames(eventsOf(golden))).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls).to.deep.equal([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } },
      { index: 0, function: { arguments: '{"city":"Paris"}' } },
      { index: 1, id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } },
      { index: 1, function: { arguments: '{}' } },
    ]);
  });

  it('E52: numbers interleaved calls without gaps, whatever their handles', () => {
    const start = (part: number, id: string): GenerateEvent => ({
      type: 'part-start',
      choice: 0,
      part,
      kind: 'tool-call',
      call: { id, name: id, kind: 'function' },
    });
    const delta = (part: number, text: string): GenerateEvent => ({ type: 'part-delta', choice: 0, part, text });
    const frames = writeFrames([
      { type: 'response-start' },
      start(9, 'a'),
      start(4, 'b'),
      delta(9, '1'),
      delta(4, '2'),
      delta(9, '3'),
    ]);
    const seen = chunksOf(frames)
      .slice(1)
      .map(({ choices }) => {
        const call = choices[0]?.delta.tool_calls?.[0];
        return [call?.index, call?.id, call?.function.arguments];
      });
    expect(seen).to.deep.equal([
      [0, 'a', ''],
      [1, 'b', ''],
      [0, undefined, '1'],
      [1, undefined, '2'],
      [0, undefined, '3'],
    ]);
  });

  it('writes reasoning as text and as details with sealed proofs', () => {
    const details = chunksOf(writeFrames(eventsOf(golden))).flatMap(
      ({ choices }) => choices[0]?.delta.reasoning_details ?? [],
    );
    expect(details).to.deep.equal([
      { type: 'reasoning.text', text: 'Let me check.', index: 0 },
      { type: 'reasoning.text', signature: sealProof(proof), format: 'anthropic-claude-v1', index: 0 },
    ]);
    expect(writeFrames(eventsOf(golden), decode({ stream: true, reasoning: { exclude: true } })).join(''))
      .to.not.contain('Let me check')
      .and.to.not.contain('reasoning_details');
  });

  it('writes citations and the signature of a call', () => {
    const frames = writeFrames(
      eventsOf({
        choices: [
          {
            parts: [
              { type: 'text', text: 'abc', citations: [{ url: 'https://x', vendor: { wire: 'messages', value: {} } }] },
              { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}', proof },
            ],
            finish: { reason: 'tool_calls' },
          },
        ],
      }),
    ).join('');
    expect(frames).to.contain(
      '"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":3,"url":"https://x","title":"https://x"}}]',
    );
    expect(frames).to.contain(
      `"tool_calls":[{"index":0,"function":{"arguments":""},"extra_content":{"google":{"thought_signature":"${sealProof(proof)}"}}}]`,
    );
  });

  it('writes the citations of all texts in one delta: the Python SDK refuses a second, the other keeps the last', () => {
    const text = (part: string, url: string): Part => ({
      type: 'text',
      text: part,
      citations: [{ url, vendor: { wire: 'messages', value: {} } }],
    });
    const frames = writeFrames(
      eventsOf({
        choices: [{ parts: [text('abc', 'https://x'), text('de', 'https://y')], finish: { reason: 'stop' } }],
      }),
    );
    const [annotations, ...others] = frames.filter((frame) => frame.includes('"annotations"'));
    expect(others).to.deep.equal([]);
    expect(annotations)
      .to.contain('"start_index":0,"end_index":3,"url":"https://x"')
      .and.to.contain('"start_index":3,"end_index":5,"url":"https://y"');
    expect(frames.at(-2)).to.contain('"finish_reason":"stop"');
  });

  it('writes function_call for a client of the deprecated functions', () => {
    const frames = writeFrames(eventsOf(golden), decode({ stream: true, functions: [{ name: 'get_weather' }] })).join(
      '',
    );
    expect(frames).to.not.contain('tool_calls');
    expect(frames)
      .to.contain('"function_call":{"name":"get_weather","arguments":""}')
      .and.to.contain('"finish_reason":"function_call"')
      .and.to.not.contain('get_time');
  });

  it('E30, E32: ends with an error frame and without [DONE], so that the SDK throws', async () => {
    const error = new GatewayError('upstream_truncated');
    const cut: readonly GenerateEvent[] = [...eventsOf(golden).slice(0, 6), { type: 'error', error }];
    const bytes = writeSse(cut);
    expect(bytes).to.not.contain('[DONE]').and.to.not.contain('"finish_reason":"');
    expect(bytes.trimEnd().split('\n').at(-1)).to.equal(
      `data: {"error":{"message":"${error.message}","type":"server_error","param":null,"code":"bad_gateway"}}`,
    );
    let thrown: unknown;
    await accumulate(bytes)
      .finalChatCompletion()
      .catch((reason: unknown) => (thrown = reason));
    expect(thrown).to.be.instanceOf(APIError);
    expect((thrown as Error).message).to.contain('before it was complete');
  });

  it('E31: writes a stream that consists of an error only', () => {
    expect(writeFrames([{ type: 'error', error: new GatewayError('upstream_overloaded') }])).to.deep.equal([
      '{"error":{"message":"The provider is overloaded.","type":"server_error","param":null,"code":"overloaded"}}',
    ]);
  });

  it('E39: writes halves of surrogate pairs so that the client can join them', () => {
    const events: readonly GenerateEvent[] = [
      { type: 'response-start' },
      { type: 'part-start', choice: 0, part: 0, kind: 'text' },
      { type: 'part-delta', choice: 0, part: 0, text: '\ud83d' },
      { type: 'part-delta', choice: 0, part: 0, text: '\ude00' },
    ];
    const bytes = Buffer.from(writeSse(events));
    expect(bytes.toString('utf8')).to.not.contain('\ufffd');
    expect(
      readSse(bytes.toString('utf8')).flatMap((event) => (event.type === 'part-delta' ? event.text : [])),
    ).to.deep.equal(['😀']);
  });

  it('writes streams that its own decoder reads back unchanged', () => {
    const frames = writeFrames(eventsOf(golden), withUsage).map((data) =>
      data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>),
    );
    const folded = foldChunks(...frames);
    const { raw: _raw, ...counted } = folded.usage ?? { raw: undefined };
    expect(counted).to.deep.equal(usage);
    expect(folded.choices[0]?.parts.map((part) => ({ ...part, proof: undefined }))).to.deep.equal(
      golden.choices[0]?.parts.map((part) => ({
        ...part,
        proof: undefined,
        ...(part.type === 'tool-call' && part.input === '' ? { input: '{}' } : {}),
      })),
    );
  });
});
