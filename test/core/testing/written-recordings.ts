import type { Recording } from '../../../core/testing/index.ts';

const origin = 'written by hand after https://platform.openai.com/docs/api-reference/chat';
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16, prompt_tokens_details: { cached_tokens: 4 } };
const chunk = (delta: object, finish: string | null = null): object => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const stream = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Héllo 😀' }),
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] }),
  chunk({}, 'tool_calls'),
  { ...head, choices: [], usage },
];
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];

/** A plain, a streamed and a refused exchange on chat-completions: every law has a fixture. */
export const writtenRecordings: readonly Recording[] = [
  {
    name: 'plain',
    origin,
    wire: 'chat-completions',
    request: {
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
        temperature: 0.25,
        seed: 7,
        tools,
      },
    },
    response: {
      status: 200,
      body: {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage,
      },
    },
    expected: {
      model: 'm',
      choices: [{ parts: [{ type: 'text', text: 'Hello' }], finish: { reason: 'stop' } }],
      usage: { inputUncached: 5, cacheRead: 4, output: 7 },
    },
  },
  {
    name: 'streamed',
    origin,
    wire: 'chat-completions',
    request: {
      body: {
        model: 'm',
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
        stream_options: { include_usage: true },
        tools,
      },
    },
    response: {
      status: 200,
      text: `: ${'-'.repeat(5_000)}\r\n\r\n${[...stream.map((data) => JSON.stringify(data)), '[DONE]'].map((data) => `data: ${data}\r\n\r\n`).join('')}`,
    },
    expected: {
      model: 'm',
      choices: [
        {
          parts: [
            { type: 'text', text: 'Héllo 😀' },
            { type: 'tool-call', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
          ],
          finish: { reason: 'tool_calls' },
        },
      ],
      usage: { inputUncached: 5, cacheRead: 4, output: 7 },
    },
  },
  {
    name: 'refused',
    origin,
    wire: 'chat-completions',
    response: {
      status: 429,
      headers: {},
      body: { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
    },
    expected: { error: { code: 'upstream_rate_limit', failure: 'rate-limit', message: 'Slow down' } },
  },
  { name: 'foreign', origin, wire: 'elsewhere', request: { body: {} } },
];
