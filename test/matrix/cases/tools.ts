import type { MatrixCase } from '../matrix-case.ts';
import type { Json } from '../wires.ts';

export const weatherSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
export const chatTools: readonly Json[] = [
  { type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: weatherSchema } },
  { type: 'function', function: { name: 'get_time' } },
];
export const messagesTools: readonly Json[] = [
  { name: 'get_weather', description: 'The weather.', input_schema: weatherSchema },
  { name: 'get_time', input_schema: { type: 'object', properties: {} } },
];
/** A tool without a schema: chat may leave it out, messages may not. */
const timeWithSchema: Json = { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } };

const request = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Weather?' }], tools: chatTools },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Weather?' }], tools: messagesTools },
};
const received = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Weather?' }], tools: [chatTools[0], timeWithSchema] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }], tools: messagesTools },
};
const called = { chat: 'tool_calls', messages: 'tool_use' };

export const oneCall: MatrixCase = {
  name: 'one tool call behind a text',
  request: { chat: { ...request.chat, tool_choice: 'auto' }, messages: { ...request.messages, tool_choice: { type: 'auto' } } },
  received: { chat: { ...received.chat, tool_choice: 'auto' }, messages: { ...received.messages, tool_choice: { type: 'auto' } } },
  vendor: {
    chat: { message: { content: 'Checking.', tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city": "Zürich \\ud83c\\udf27"}' }] }, finish: 'tool_calls' },
    messages: { content: [{ type: 'text', text: 'Checking.' }, { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Zürich 🌧' } }], finish: 'tool_use' },
  },
  expected: { text: 'Checking.', calls: [{ id: 'call_1', name: 'get_weather', input: { city: 'Zürich 🌧' } }], finish: called },
};

export const parallelCalls: MatrixCase = {
  name: 'parallel tool calls, one without arguments, fragments in turns',
  request: { chat: { ...request.chat, tool_choice: 'required' }, messages: { ...request.messages, tool_choice: { type: 'any' } } },
  received: { chat: { ...received.chat, tool_choice: 'required' }, messages: { ...received.messages, tool_choice: { type: 'any' } } },
  vendor: {
    chat: {
      message: {
        tool_calls: [
          { id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
          { id: 'call_2', name: 'get_time', arguments: '{}' },
          { id: 'call_3', name: 'get_weather', arguments: '{"city":"Rome"}' },
        ],
      },
      deltas: [
        { role: 'assistant', content: null },
        { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }, { index: 1, id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } }] },
        { tool_calls: [{ index: 2, id: 'call_3', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ro' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
        { tool_calls: [{ index: 1, function: { arguments: '{}' } }, { index: 2, function: { arguments: 'me"}' } }] },
      ],
      finish: 'tool_calls',
    },
    messages: {
      content: [
        { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
        { type: 'tool_use', id: 'call_2', name: 'get_time', input: {} },
        { type: 'tool_use', id: 'call_3', name: 'get_weather', input: { city: 'Rome' } },
      ],
      finish: 'tool_use',
    },
  },
  expected: {
    calls: [
      { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
      { id: 'call_2', name: 'get_time', input: {} },
      { id: 'call_3', name: 'get_weather', input: { city: 'Rome' } },
    ],
    finish: called,
  },
};

const strictChat = { type: 'function', function: { name: 'get_weather', description: 'd', parameters: weatherSchema, strict: true } };
const strictMessages = { name: 'get_weather', description: 'd', input_schema: weatherSchema, strict: true };

export const forcedCall: MatrixCase = {
  name: 'a forced call, strict, not in parallel',
  request: {
    chat: { ...request.chat, tools: [strictChat], tool_choice: { type: 'function', function: { name: 'get_weather' } }, parallel_tool_calls: false },
    messages: { ...request.messages, tools: [strictMessages], tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true } },
  },
  received: {
    chat: { ...received.chat, tools: [strictChat], tool_choice: { type: 'function', function: { name: 'get_weather' } }, parallel_tool_calls: false },
    messages: { ...received.messages, tools: [strictMessages], tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true } },
  },
  vendor: {
    // The vendor ends a forced call with `stop`.
    chat: { message: { tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }] }, finish: 'stop' },
    messages: { content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }], finish: 'tool_use' },
  },
  expected: { calls: [{ id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }], finish: called },
  but: { 'chat>chat': { finish: { chat: 'stop', messages: 'end_turn' } } },
};
