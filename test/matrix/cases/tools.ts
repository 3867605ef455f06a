import type { MatrixCase } from '../matrix-case.ts';
import { requestBodies, receivedBodies } from '../sample-bodies.ts';
import type { Json, Wire } from '../wires.ts';

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const empty = { type: 'object', properties: {} };

/** A function as each wire declares it. OpenAI's responses is strict by default. */
export const weather = {
  chat: { type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: weatherSchema } },
  messages: { name: 'get_weather', description: 'The weather.', input_schema: weatherSchema },
  responses: {
    type: 'function',
    name: 'get_weather',
    description: 'The weather.',
    parameters: weatherSchema,
    strict: false,
  },
  google: { name: 'get_weather', description: 'The weather.', parametersJsonSchema: weatherSchema },
};
/** A function without a schema: chat and Google can omit it, the others cannot. */
const time = {
  chat: { type: 'function', function: { name: 'get_time' } },
  messages: { name: 'get_time', input_schema: empty },
  responses: { type: 'function', name: 'get_time', parameters: empty, strict: false },
  google: { name: 'get_time' },
};

/** The default choice. */
export const unsaid = { strict: null } as const;

const received: Readonly<Record<Wire, Json>> = {
  chat: { tools: [weather.chat, time.chat] },
  messages: { tools: [weather.messages, time.messages] },
  responses: { tools: [weather.responses, time.responses] },
  google: { tools: [{ functionDeclarations: [weather.google, time.google] }] },
};
const request: Readonly<Record<Wire, Json>> = {
  ...received,
  responses: {
    tools: [
      { ...weather.responses, ...unsaid },
      { ...time.responses, ...unsaid },
    ],
  },
};
const timeWithSchema = { type: 'function', function: { name: 'get_time', parameters: empty } };

const inMode = (mode: string): Json => ({ toolConfig: { functionCallingConfig: { mode } } });
/** The tools and a choice, as each wire has them. */
const choose = (
  tools: Readonly<Record<Wire, Json>>,
  choice: Readonly<Record<Wire, Json>>,
): Readonly<Record<Wire, Json>> => ({
  chat: { ...tools.chat, ...choice.chat },
  messages: { ...tools.messages, ...choice.messages },
  responses: { ...tools.responses, ...choice.responses },
  google: { ...tools.google, ...choice.google },
});

const auto = {
  chat: { tool_choice: 'auto' },
  messages: { tool_choice: { type: 'auto' } },
  responses: { tool_choice: 'auto' },
  google: inMode('AUTO'),
};
/** With an escaped emoji and a space that JSON.stringify does not write. */
const escaped = '{"city": "Zürich \\ud83c\\udf27"}';
const weatherCall = { id: 'call_1', name: 'get_weather', input: { city: 'Zürich 🌧' } };

export const oneCall: MatrixCase = {
  name: 'a tool call after text',
  request: requestBodies('Weather?', choose(request, auto)),
  received: receivedBodies('Weather?', choose(received, auto)),
  vendor: {
    chat: {
      message: { content: 'Checking.', tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: escaped }] },
      finish: 'tool_calls',
    },
    messages: {
      content: [
        { type: 'text', text: 'Checking.' },
        { type: 'tool_use', ...weatherCall },
      ],
      finish: 'tool_use',
    },
    responses: {
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'Checking.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: escaped },
      ],
    },
    google: {
      parts: [
        { text: 'Checking.' },
        { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Zürich 🌧' } } },
      ],
      finish: 'STOP',
    },
  },
  // The empty schema that was added stays; chat does not require one.
  but: {
    'messages>chat': { received: { tools: [weather.chat, timeWithSchema] } },
    'responses>chat': { received: { tools: [weather.chat, timeWithSchema] } },
  },
  expected: { text: 'Checking.', calls: [weatherCall], finish: 'tool_calls' },
};

const required = {
  chat: { tool_choice: 'required' },
  messages: { tool_choice: { type: 'any' } },
  responses: { tool_choice: 'required' },
  google: inMode('ANY'),
};

export const parallelCalls: MatrixCase = {
  name: 'parallel tool calls with interleaved fragments, one without arguments (E7, E52)',
  request: requestBodies('Weather?', choose(request, required)),
  received: receivedBodies('Weather?', choose(received, required)),
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
        {
          tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }],
        },
        {
          tool_calls: [
            { index: 0, function: { arguments: '{"city":' } },
            { index: 1, id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '' } },
          ],
        },
        {
          tool_calls: [
            { index: 2, id: 'call_3', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ro' } },
          ],
        },
        { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
        {
          tool_calls: [
            { index: 1, function: { arguments: '{}' } },
            { index: 2, function: { arguments: 'me"}' } },
          ],
        },
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
    responses: {
      output: [
        { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { type: 'function_call', call_id: 'call_2', name: 'get_time', arguments: '{}' },
        { type: 'function_call', call_id: 'call_3', name: 'get_weather', arguments: '{"city":"Rome"}' },
      ],
    },
    google: {
      parts: [
        { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } } },
        { functionCall: { id: 'call_2', name: 'get_time', args: {} } },
        { functionCall: { id: 'call_3', name: 'get_weather', args: { city: 'Rome' } } },
      ],
      // Two calls in one chunk, and the third in its own.
      chunks: [
        [
          { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } } },
          { functionCall: { id: 'call_2', name: 'get_time', args: {} } },
        ],
        [{ functionCall: { id: 'call_3', name: 'get_weather', args: { city: 'Rome' } } }],
      ],
      finish: 'STOP',
    },
  },
  but: {
    'messages>chat': { received: { tools: [weather.chat, timeWithSchema] } },
    'responses>chat': { received: { tools: [weather.chat, timeWithSchema] } },
  },
  expected: {
    calls: [
      { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
      { id: 'call_2', name: 'get_time', input: {} },
      { id: 'call_3', name: 'get_weather', input: { city: 'Rome' } },
    ],
    finish: 'tool_calls',
  },
};

const strict = {
  chat: {
    type: 'function',
    function: { name: 'get_weather', description: 'd', parameters: weatherSchema, strict: true },
  },
  messages: { name: 'get_weather', description: 'd', input_schema: weatherSchema, strict: true },
  responses: { type: 'function', name: 'get_weather', description: 'd', parameters: weatherSchema, strict: true },
  google: { name: 'get_weather', description: 'd', parametersJsonSchema: weatherSchema },
};
const forced: Readonly<Record<Wire, Json>> = {
  chat: {
    tools: [strict.chat],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    parallel_tool_calls: false,
  },
  messages: {
    tools: [strict.messages],
    tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
  },
  responses: {
    tools: [strict.responses],
    tool_choice: { type: 'function', name: 'get_weather' },
    parallel_tool_calls: false,
  },
  google: {
    tools: [{ functionDeclarations: [strict.google] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
  },
};
const lax = {
  chat: { ...weather.chat, function: { ...weather.chat.function, description: 'd' } },
  messages: { ...weather.messages, description: 'd' },
  responses: { ...weather.responses, description: 'd' },
};

export const forcedCall: MatrixCase = {
  name: 'a forced, strict, sequential call',
  request: requestBodies('Weather?', forced),
  received: receivedBodies('Weather?', forced),
  vendor: {
    // The chat vendor ends a forced call with `stop`.
    chat: {
      message: { tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }] },
      finish: 'stop',
    },
    messages: {
      content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }],
      finish: 'tool_use',
    },
    responses: {
      output: [{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
    },
    google: {
      parts: [{ functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } } }],
      finish: 'STOP',
    },
  },
  losses: {
    'chat>google': ['tools[0].function.strict;dropped', 'parallel_tool_calls;dropped'],
    'messages>google': ['tools[0].strict;dropped', 'tool_choice.disable_parallel_tool_use;dropped'],
    'responses>google': ['tools[0].strict;dropped', 'parallel_tool_calls;dropped'],
  },
  but: {
    'chat>chat': { finish: 'stop' },
    // Google has neither strict functions nor a ban on parallel calls.
    'google>chat': { received: { tools: [lax.chat], parallel_tool_calls: undefined } },
    'google>messages': { received: { tools: [lax.messages], tool_choice: { type: 'tool', name: 'get_weather' } } },
    'google>responses': { received: { tools: [lax.responses], parallel_tool_calls: undefined } },
  },
  expected: { calls: [{ id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }], finish: 'tool_calls' },
};
