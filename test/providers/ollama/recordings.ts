import type { Recording } from '../../../core/testing/index.ts';

const origin = 'written by hand after https://docs.ollama.com/api/chat';
const end = { done: true, done_reason: 'stop', total_duration: 9, prompt_eval_count: 26, eval_count: 11 };
const head = { model: 'qwen3', created_at: '2026-11-01T10:00:00Z' };
const calls = [
  { id: 'call_a1', function: { index: 0, name: 'weather', arguments: { city: 'Rome' } } },
  { function: { name: 'time', arguments: {} } },
];

const plain = (name: string, message: object, more: object = {}): Recording => ({
  name: `${name}.json`,
  case: name,
  origin,
  wire: 'ollama-chat',
  response: { status: 200, body: { ...head, message: { role: 'assistant', ...message }, ...end, ...more } },
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
  },
];
