import type { Expectation, Recording } from '../../../core/testing/index.ts';

const origin = 'written by hand after https://docs.cohere.com/reference/chat';
const usage = {
  billed_units: { input_tokens: 12, output_tokens: 9 },
  tokens: { input_tokens: 1490, output_tokens: 14, reasoning_tokens: 4 },
  cached_tokens: 1408,
};
const citation = {
  start: 7,
  end: 13,
  text: '15 °C 😀',
  type: 'TEXT_CONTENT',
  sources: [{ type: 'document', id: 'doc:0', document: { title: 'Weather', url: 'https://weather.test/rome' } }],
};
const call = (id: string, city: string): object => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});

/** What each case says. The vendor bills `billed_units`: its own prompt, and what of it is cached, is not billed. */
const said: Readonly<Record<string, Expectation['choices']>> = {
  cited: [
    {
      parts: [
        { type: 'reasoning', text: 'Look it up.' },
        {
          type: 'text',
          text: 'It is: 15 °C 😀 in Rome.',
          citations: [{ url: 'https://weather.test/rome', title: 'Weather', start: 7, end: 13 }],
        },
      ],
      finish: { reason: 'stop' },
    },
  ],
  calls: [
    {
      parts: [
        { type: 'text', text: 'I will ask for both.' },
        { type: 'tool-call', id: 'weather_1', name: 'weather', input: { city: 'Rome' } },
        { type: 'tool-call', id: 'weather_2', name: 'weather', input: { city: 'Oslo' } },
      ],
      finish: { reason: 'tool_calls' },
    },
  ],
  cut: [{ parts: [{ type: 'text', text: 'Once upon' }], finish: { reason: 'length' } }],
};
const expectedOf = (name: string): Expectation => ({
  ...(said[name] === undefined ? {} : { choices: said[name] }),
  usage: { inputUncached: 12, output: 9, reasoning: 4 },
});

const plain = (name: string, message: object, finish: string): Recording => ({
  name: `${name}.json`,
  case: name,
  origin,
  wire: 'cohere-chat',
  response: { status: 200, body: { id: 'c-1', message, finish_reason: finish, usage } },
  expected: expectedOf(name),
});

const event = (type: string, message?: object, index?: number): object => ({
  type,
  ...(index === undefined ? {} : { index }),
  ...(message === undefined ? {} : { delta: { message } }),
});
const streamed = (name: string, events: readonly object[], finish: string): Recording => ({
  name: `${name}-stream.json`,
  case: name,
  origin: 'written by hand after https://docs.cohere.com/docs/streaming',
  wire: 'cohere-chat',
  response: {
    status: 200,
    text: [
      { id: 'c-1', ...event('message-start', { role: 'assistant', content: [], tool_plan: '', tool_calls: [] }) },
      ...events,
      { type: 'message-end', delta: { finish_reason: finish, usage } },
    ]
      .map((data) => `event: ${String((data as { type?: string }).type)}\ndata: ${JSON.stringify(data)}\n\n`)
      .concat('data: [DONE]\n\n')
      .join(''),
  },
  expected: expectedOf(name),
});
const block = (index: number, type: 'text' | 'thinking', ...pieces: readonly string[]): readonly object[] => [
  event('content-start', { content: { type, [type]: '' } }, index),
  ...pieces.map((piece) => event('content-delta', { content: { [type]: piece } }, index)),
];

/** What the API v2 sends, plain and streamed. */
export const recordings: readonly Recording[] = [
  plain(
    'cited',
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look it up.' },
        { type: 'text', text: 'It is: 15 °C 😀 in Rome.' },
      ],
      citations: [{ ...citation, content_index: 1 }],
    },
    'COMPLETE',
  ),
  streamed(
    'cited',
    [
      ...block(0, 'thinking', 'Look', ' it up.'),
      event('content-end', undefined, 0),
      ...block(1, 'text', 'It is: 15 °C', ' 😀 in Rome.'),
      event('citation-start', { citations: { ...citation, content_index: 1 } }, 0),
      event('citation-end', undefined, 0),
      event('content-end', undefined, 1),
    ],
    'COMPLETE',
  ),
  plain(
    'calls',
    {
      role: 'assistant',
      tool_plan: 'I will ask for both.',
      tool_calls: [call('weather_1', 'Rome'), call('weather_2', 'Oslo')],
    },
    'TOOL_CALL',
  ),
  streamed(
    'calls',
    [
      event('tool-plan-delta', { tool_plan: 'I will' }),
      event('tool-plan-delta', { tool_plan: ' ask for both.' }),
      ...(['Rome', 'Oslo'] as const).flatMap((city, index) => [
        event(
          'tool-call-start',
          {
            tool_calls: { id: `weather_${index + 1}`, type: 'function', function: { name: 'weather', arguments: '' } },
          },
          index,
        ),
        event('tool-call-delta', { tool_calls: { function: { arguments: '{"city":' } } }, index),
        event('tool-call-delta', { tool_calls: { function: { arguments: `"${city}"}` } } }, index),
        event('tool-call-end', undefined, index),
      ]),
    ],
    'TOOL_CALL',
  ),
  plain('cut', { role: 'assistant', content: [{ type: 'text', text: 'Once upon' }] }, 'MAX_TOKENS'),
  {
    name: 'gone.json',
    origin: 'written by hand after a response to a removed model',
    wire: 'cohere-chat',
    response: {
      status: 404,
      body: { id: 'e-1', message: "model 'command-x' was removed on September 15, 2025. See the list of models." },
    },
    expected: {
      error: {
        code: 'upstream_model',
        failure: 'model-gone',
        message: "model 'command-x' was removed on September 15, 2025. See the list of models.",
      },
    },
  },
];

/** Two vectors of the API v2. */
export const vectorRecordings: readonly Recording[] = [
  {
    name: 'vectors.json',
    origin: 'written by hand after https://docs.cohere.com/reference/embed',
    wire: 'cohere-embed',
    response: {
      status: 200,
      body: {
        id: 'e-1',
        embeddings: {
          float: [
            [0.5, -0.25],
            [1, 3e-8],
          ],
        },
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: 5, image_tokens: 2 } },
        response_type: 'embeddings_by_type',
      },
    },
    expected: {
      vectors: [
        [0.5, -0.25],
        [1, 3e-8],
      ],
      dimensions: 2,
      usage: { inputUncached: 7, inputImage: 2 },
    },
  },
];
