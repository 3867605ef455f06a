import type { Expectation, Recording } from '../../../core/testing/index.ts';

const origin = 'written by hand after https://docs.ollama.com/api/chat';
const end = { done: true, done_reason: 'stop', total_duration: 9, prompt_eval_count: 26, eval_count: 11 };
const head = { model: 'qwen3', created_at: '2026-11-01T10:00:00Z' };
const calls = [
  { id: 'call_a1', function: { index: 0, name: 'weather', arguments: { city: 'Rome' } } },
  { function: { name: 'time', arguments: {} } },
];

/** What each case says. A call without an id gets one that is derived from its place. */
const said: Readonly<Record<string, Expectation['choices']>> = {
  thoughts: [
    {
      parts: [
        { type: 'reasoning', text: 'They greet me.' },
        { type: 'text', text: 'Grüße 😀 to you.' },
      ],
      finish: { reason: 'stop' },
    },
  ],
  calls: [
    {
      parts: [
        { type: 'text', text: 'Asking.' },
        { type: 'tool-call', id: 'call_a1', name: 'weather', input: { city: 'Rome' } },
        { type: 'tool-call', id: 'call_0_1', name: 'time', input: {} },
      ],
      finish: { reason: 'tool_calls' },
    },
  ],
  cut: [{ parts: [{ type: 'text', text: 'Once upon' }], finish: { reason: 'length' } }],
};
const expectedOf = (name: string): Expectation => ({
  model: 'qwen3',
  ...(said[name] === undefined ? {} : { choices: said[name] }),
  usage: { inputUncached: 26, output: 11 },
});

const plain = (name: string, message: object, more: object = {}): Recording => ({
  name: `${name}.json`,
  case: name,
  origin,
  wire: 'ollama-chat',
  response: { status: 200, body: { ...head, message: { role: 'assistant', ...message }, ...end, ...more } },
  expected: expectedOf(name),
});
const streamed = (name: string, messages: readonly object[], more: object = {}): Recording => ({
  name: `${name}-stream.json`,
  case: name,
  origin,
  wire: 'ollama-chat',
  response: {
    status: 200,
    text: [
      ...messages.map((message) => ({ ...head, message: { role: 'assistant', content: '', ...message }, done: false })),
      { ...head, message: { role: 'assistant', content: '' }, ...end, ...more },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  },
  expected: expectedOf(name),
});

/** What the server sends, plain and streamed. */
export const recordings: readonly Recording[] = [
  plain('thoughts', { thinking: 'They greet me.', content: 'Grüße 😀 to you.' }),
  streamed('thoughts', [
    { thinking: 'They' },
    { thinking: ' greet me.' },
    { content: 'Grüße 😀' },
    { content: ' to you.' },
  ]),
  plain('calls', { content: 'Asking.', tool_calls: calls }),
  streamed('calls', [{ content: 'Asking.' }, { tool_calls: calls.slice(0, 1) }, { tool_calls: calls.slice(1) }]),
  plain('cut', { content: 'Once upon' }, { done_reason: 'length' }),
  streamed('cut', [{ content: 'Once' }, { content: ' upon' }], { done_reason: 'length' }),
  {
    name: 'missing.json',
    origin,
    wire: 'ollama-chat',
    response: { status: 404, body: { error: "model 'llama9' not found" } },
    expected: { error: { code: 'upstream_model', failure: 'model-gone', message: "model 'llama9' not found" } },
  },
];

/** Two vectors of the server. */
export const vectorRecordings: readonly Recording[] = [
  {
    name: 'vectors.json',
    origin: 'written by hand after https://docs.ollama.com/api/embed',
    wire: 'ollama-embed',
    response: {
      status: 200,
      body: {
        model: 'nomic-embed-text',
        embeddings: [
          [0.5, -0.25],
          [1, 3e-8],
        ],
        total_duration: 9,
        prompt_eval_count: 6,
      },
    },
    expected: {
      model: 'nomic-embed-text',
      vectors: [
        [0.5, -0.25],
        [1, 3e-8],
      ],
      dimensions: 2,
      usage: { inputUncached: 6 },
    },
  },
];
