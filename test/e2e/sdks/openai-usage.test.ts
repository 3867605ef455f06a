import { expect } from 'chai';
import OpenAI from 'openai';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { answerJson, answerSse, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }];
const TEXT = 'Good day.';

/** Prompt, cached, completion, reasoning and total, as every wire of OpenAI shows them. */
type Shown = readonly [input: number, cached: number, output: number, reasoning: number, total: number];

const ofChat = (usage: OpenAI.CompletionUsage | null | undefined): Shown | undefined =>
  usage === null || usage === undefined
    ? undefined
    : [
        usage.prompt_tokens,
        usage.prompt_tokens_details?.cached_tokens ?? 0,
        usage.completion_tokens,
        usage.completion_tokens_details?.reasoning_tokens ?? 0,
        usage.total_tokens,
      ];

const ofResponse = (usage: OpenAI.Responses.ResponseUsage | null | undefined): Shown | undefined =>
  usage === null || usage === undefined
    ? undefined
    : [
        usage.input_tokens,
        usage.input_tokens_details.cached_tokens,
        usage.output_tokens,
        usage.output_tokens_details.reasoning_tokens,
        usage.total_tokens,
      ];

/** What vendors report, and what it means. */
const reports: readonly (readonly [vendor: string, usage: object, shown: Shown])[] = [
  [
    'OpenAI',
    {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
    [100, 40, 20, 5, 120],
  ],
  [
    'xAI, with reasoning outside of the completion',
    {
      prompt_tokens: 429,
      completion_tokens: 44,
      total_tokens: 975,
      prompt_tokens_details: { cached_tokens: 192 },
      completion_tokens_details: { reasoning_tokens: 502 },
      num_sources_used: 2,
    },
    [429, 192, 546, 502, 975],
  ],
  [
    'DeepSeek',
    {
      prompt_tokens: 30,
      completion_tokens: 4,
      total_tokens: 34,
      prompt_cache_hit_tokens: 20,
      prompt_cache_miss_tokens: 10,
    },
    [30, 20, 4, 0, 34],
  ],
  ['Moonshot', { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50, cached_tokens: 10 }, [20, 10, 30, 0, 50]],
  [
    'Grok at Azure, with more cached than prompt tokens',
    { prompt_tokens: 29, completion_tokens: 6, total_tokens: 35, prompt_tokens_details: { cached_tokens: 157 } },
    [29, 29, 6, 0, 35],
  ],
  [
    'Mistral, with audio outside of the prompt',
    { prompt_tokens: 9, completion_tokens: 201, total_tokens: 585, prompt_tokens_details: { audio_tokens: 375 } },
    [384, 0, 201, 0, 585],
  ],
  [
    'Google, with thoughts in the total only',
    { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 },
    [35, 0, 74, 0, 109],
  ],
];

const head = { id: 'chatcmpl-1', created: 1, model: 'vendor' };
const chatBody = (usage?: object): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  ...(usage === undefined ? {} : { usage }),
});
const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (members: object): string => frame({ ...head, object: 'chat.completion.chunk', ...members });
const chatFrames = (usage?: object): string =>
  [
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: TEXT }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ...(usage === undefined ? [] : [chunk({ choices: [], usage })]),
    'data: [DONE]\n\n',
  ].join('');

const responseBody = (usage: object | null = null): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'vendor',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: TEXT, annotations: [] }],
    },
  ],
  usage,
});
const responseFrames = (usage: object | null = null): string => {
  const events: object[] = [
    { type: 'response.created', response: { ...responseBody(), status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { id: 'msg_1', type: 'message', content: [] } },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', content_index: 0, delta: TEXT },
    { type: 'response.completed', response: responseBody(usage) },
  ];
  return events.map((event, index) => frame({ ...event, sequence_number: index })).join('');
};

describe('the usage of compatible vendors, as the OpenAI SDK shows it', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  let client: OpenAI;

  before(async () => {
    upstream = await startUpstream();
    const config = { baseUrl: `${upstream.url}/v1` };
    const wires = ['chat-completions', 'responses', 'embeddings'];
    gateway = await startTestGateway({
      providers: {
        chat: { use: 'openai-compatible', config },
        all: { use: 'openai-compatible', config: { ...config, wires: ['responses', 'embeddings'] } },
        raw: { use: 'openai-compatible', config: { ...config, wires, correctUsage: false } },
      },
      models: {
        'chat/one': { wires, targets: [{ provider: 'chat', model: 'vendor' }] },
        'responses/one': { wires, targets: [{ provider: 'all', model: 'vendor' }] },
        'raw/one': { wires, targets: [{ provider: 'raw', model: 'vendor' }] },
      },
    });
    client = new OpenAI({ apiKey: KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  /** The vendor answers chats and responses, streamed and plain, always with this usage. */
  const report = (usage?: object): void => {
    upstream.answer = (response, { path, body }) => {
      const isChat = path.endsWith('/chat/completions');
      if (path.endsWith('/embeddings'))
        answerJson(response, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], usage });
      else if (body['stream'] === true) answerSse(response, isChat ? chatFrames(usage) : responseFrames(usage));
      else answerJson(response, isChat ? chatBody(usage) : responseBody(usage));
    };
  };

  const chatPlain = (model: string) => client.chat.completions.create({ model, messages }).withResponse();
  const chatStream = async (model: string): Promise<readonly OpenAI.ChatCompletionChunk[]> => {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const found of await client.chat.completions.create({ model, messages, ...options })) chunks.push(found);
    return chunks;
  };
  const responsePlain = (model: string) => client.responses.create({ model, input: 'Hello' }).withResponse();
  const responseStream = async (model: string): Promise<OpenAI.Responses.Response> => {
    const stream = await client.responses.create({ model, input: 'Hello', stream: true });
    let last: OpenAI.Responses.Response | undefined;
    for await (const event of stream) if (event.type === 'response.completed') last = event.response;
    if (last === undefined) throw new Error('the stream was not completed');
    return last;
  };

  for (const [vendor, usage, shown] of reports) {
    it(`figures add up, native and translated, plain and streamed: ${vendor}`, async () => {
      report(usage);
      const { data, response } = await chatPlain('chat/one');
      expect(response.headers.get('x-koine-lane')).to.equal('native');
      expect(response.headers.get('x-koine-estimated')).to.equal(null);
      expect(ofChat(data.usage), 'native, plain').to.deep.equal(shown);
      // Everything else that the vendor reports stays.
      expect(Object.keys(data.usage ?? {})).to.include.members(Object.keys(usage));
      expect(ofChat((await chatStream('chat/one')).at(-1)?.usage), 'native, streamed').to.deep.equal(shown);
      const translated = await responsePlain('chat/one');
      expect(translated.response.headers.get('x-koine-lane')).to.equal('translated');
      expect(ofResponse(translated.data.usage), 'translated, plain').to.deep.equal(shown);
      expect(ofResponse((await responseStream('chat/one')).usage), 'translated, streamed').to.deep.equal(shown);
    });
  }

  it('figures of responses add up as well', async () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 120 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 150,
      num_sources_used: 1,
    };
    report(usage);
    const shown = [100, 100, 50, 30, 150];
    const { data, response } = await responsePlain('responses/one');
    expect(response.headers.get('x-koine-lane')).to.equal('native');
    expect(ofResponse(data.usage)).to.deep.equal(shown);
    expect(data.usage).to.have.property('num_sources_used', 1);
    expect(ofResponse((await responseStream('responses/one')).usage)).to.deep.equal(shown);
  });

  it('correctUsage: false leaves all figures as they are, and adds none', async () => {
    const [, usage] = reports[1] ?? [];
    report(usage);
    expect((await chatPlain('raw/one')).data.usage).to.deep.equal(usage);
    expect((await chatStream('raw/one')).at(-1)?.usage).to.deep.equal(usage);
    report();
    const { data, response } = await chatPlain('raw/one');
    expect(data.usage).to.equal(undefined);
    expect(response.headers.get('x-koine-estimated')).to.equal(null);
    expect((await chatStream('raw/one')).at(-1)?.usage).to.equal(undefined);
    expect((await responseStream('raw/one')).usage).to.equal(null);
  });

  describe('where the vendor reports none', () => {
    beforeEach(() => report());
    /** Nine characters of output are three tokens. */
    const expectEstimate = (shown: Shown | undefined): void => {
      const [input = 0, cached, output, reasoning, total] = shown ?? [];
      expect(input).to.be.greaterThan(0);
      expect([cached, output, reasoning, total]).to.deep.equal([0, 3, 0, input + 3]);
    };

    it('a chat stream that asked for it ends with an estimate, which is marked', async () => {
      const chunks = await chatStream('chat/one');
      const last = chunks.at(-1);
      expectEstimate(ofChat(last?.usage));
      expect(last).to.include({ x_koine_estimated: true, id: 'chatcmpl-1', model: 'vendor', created: 1 });
      expect(last?.choices).to.deep.equal([]);
      expect(chunks.at(-2)?.choices[0]?.finish_reason).to.equal('stop');
      const translated = (await chatStream('responses/one')).at(-1);
      expectEstimate(ofChat(translated?.usage));
      expect(translated).to.include({ x_koine_estimated: true });
    });

    it('a chat stream that did not ask for it has none', async () => {
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      const stream = await client.chat.completions.create({ model: 'chat/one', messages, stream: true });
      for await (const found of stream) chunks.push(found);
      expect(chunks.every(({ choices, usage }) => choices.length === 1 && !usage)).to.equal(true);
    });

    it('a plain chat has an estimate, and a header says so', async () => {
      for (const model of ['chat/one', 'responses/one']) {
        const { data, response } = await chatPlain(model);
        expectEstimate(ofChat(data.usage));
        expect(response.headers.get('x-koine-estimated')).to.equal('usage');
      }
    });

    it('a response has an estimate, plain and streamed', async () => {
      for (const model of ['chat/one', 'responses/one']) {
        const { data, response } = await responsePlain(model);
        expectEstimate(ofResponse(data.usage));
        expect(response.headers.get('x-koine-estimated'), model).to.equal('usage');
        const streamed = await responseStream(model);
        expectEstimate(ofResponse(streamed.usage));
        expect(streamed, model).to.include({ x_koine_estimated: true });
      }
    });

    it('vectors have an estimate, and a header says so', async () => {
      const { data, response } = await client.embeddings
        .create({ model: 'responses/one', input: 'Hello', encoding_format: 'float' })
        .withResponse();
      expect(data.usage.prompt_tokens).to.be.greaterThan(0);
      expect(data.usage.total_tokens).to.equal(data.usage.prompt_tokens);
      expect(response.headers.get('x-koine-estimated')).to.equal('usage');
    });

    it('the estimate is what the exchange is charged', async () => {
      const { data, request_id: id } = await chatPlain('chat/one');
      const find = () => gateway.exchanges().find(({ request_id: found }) => found === id);
      await until('the exchange is settled', () => find() !== undefined);
      const { prompt_tokens: input, completion_tokens: output } = data.usage ?? {};
      expect(find()).to.include({ tokens_in: input, tokens_out: output, tokens_estimated: true });
    });
  });

  it('response.completed has the usage and the text as a whole on both lanes', async () => {
    report({ input_tokens: 5, output_tokens: 3, total_tokens: 8, input_tokens_details: {}, output_tokens_details: {} });
    const native = await responseStream('responses/one');
    expect([native.output_text, native.usage?.total_tokens]).to.deep.equal([TEXT, 8]);
    report({ prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 });
    const translated = await responseStream('chat/one');
    expect([translated.output_text, translated.usage?.total_tokens]).to.deep.equal([TEXT, 8]);
  });
});
