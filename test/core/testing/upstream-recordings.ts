import type { JsonObject } from '../../../core/api/index.ts';
import type { Expectation, Recording } from '../../../core/testing/index.ts';

const origin = 'written by hand after https://platform.openai.com/docs/api-reference/chat';
const wire = 'chat-completions';
const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
const usage = {
  prompt_tokens: 30,
  completion_tokens: 12,
  total_tokens: 42,
  prompt_tokens_details: { cached_tokens: 20 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const call = (id: string, city: string): object => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});

const counted = { inputUncached: 10, cacheRead: 20, output: 12, reasoning: 5 };
const said = (parts: readonly JsonObject[], reason: 'length' | 'tool_calls'): Expectation => ({
  model: 'm',
  choices: [{ parts, finish: { reason } }],
  usage: counted,
});
const cut = said(
  [
    { type: 'reasoning', text: 'A greeting.' },
    { type: 'text', text: 'Hello, Héllo there 😀' },
  ],
  'length',
);
const called = (paris: string, rome: string): Expectation =>
  said(
    [
      { type: 'text', text: 'Both at once.' },
      { type: 'tool-call', id: paris, name: 'weather', input: { city: 'Paris' } },
      { type: 'tool-call', id: rome, name: 'weather', input: { city: 'Rome' } },
    ],
    'tool_calls',
  );

const plain = (name: string, message: object, finish: string, expected: Expectation): Recording => ({
  name,
  origin,
  wire,
  case: name.replace(/ .*/, ''),
  response: {
    status: 200,
    body: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
      usage,
    },
  },
  expected,
});
const streamed = (name: string, deltas: readonly object[], finish: string, expected: Expectation): Recording => {
  const chunks = [
    ...deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]),
    [{ index: 0, delta: {}, finish_reason: finish }],
    [],
  ].map((choices, index, all) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(index === all.length - 1 ? { usage } : {}),
  }));
  return {
    name,
    origin,
    wire,
    case: name.replace(/ .*/, ''),
    response: {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      text: `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
    },
    expected,
  };
};
const refused = (status: number, code: string, error: NonNullable<Expectation['error']>): Recording => ({
  name: `refused with ${status} ${code}`,
  origin,
  wire,
  response: {
    status,
    headers: { 'content-type': 'application/json' },
    body: { error: { message: error.message, type: 'error', param: null, code } },
  },
  expected: { error },
});

/** Responses of an upstream, each plain and streamed, with ids of their own, and its errors. */
export const upstreamRecordings: readonly Recording[] = [
  plain('text plain', { reasoning_content: 'A greeting.', content: 'Hello, Héllo there 😀' }, 'length', cut),
  streamed(
    'text streamed',
    [
      { role: 'assistant', content: '' },
      { reasoning_content: 'A greeting.' },
      { content: 'Hello, ' },
      { content: 'Héllo ' },
      { content: 'there 😀' },
    ],
    'length',
    cut,
  ),
  plain(
    'calls plain',
    { content: 'Both at once.', tool_calls: [call('call_1', 'Paris'), call('call_2', 'Rome')] },
    'tool_calls',
    called('call_1', 'call_2'),
  ),
  streamed(
    'calls streamed',
    [
      { role: 'assistant', content: 'Both at ' },
      { content: 'once.' },
      { tool_calls: [{ index: 0, id: 'call_3', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
      { tool_calls: [{ index: 1, id: 'call_4', type: 'function', function: { name: 'weather', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{"city":"Rome"}' } }] },
    ],
    'tool_calls',
    called('call_3', 'call_4'),
  ),
  refused(400, 'invalid_value', {
    code: 'invalid_request',
    failure: 'caller-fault',
    message: 'Invalid value for the temperature of this model.',
  }),
  refused(401, 'invalid_api_key', {
    code: 'upstream_credential',
    failure: 'credential',
    message: 'Incorrect API key provided by the caller.',
  }),
  refused(404, 'model_not_found', {
    code: 'upstream_model',
    failure: 'model-gone',
    message: 'The model `m` does not exist.',
  }),
  refused(429, 'rate_limit_exceeded', {
    code: 'upstream_rate_limit',
    failure: 'rate-limit',
    message: 'Rate limit reached for requests per minute.',
  }),
  refused(500, 'server_error', {
    code: 'upstream_error',
    failure: 'transient',
    message: 'The server had an error while processing the request.',
  }),
  refused(503, 'overloaded', {
    code: 'upstream_overloaded',
    failure: 'overloaded',
    message: 'The engine is currently overloaded, please try again later.',
  }),
];
