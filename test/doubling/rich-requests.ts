import type { Json, Wire } from '../matrix/wires.ts';
import type { Growth } from './grow.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'A city.' },
    units: { type: 'string', enum: ['C', 'F'] },
    places: {
      type: 'array',
      items: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false },
    },
  },
  required: ['city', 'units', 'places'],
  additionalProperties: false,
  $defs: { point: { type: 'object', properties: { x: { type: 'number' } } } },
  anyOf: [{ required: ['city'] }, { required: ['units'] }],
};
const input = '{"city":"Rome","units":"C","places":[]}';
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const dataUrl = `data:image/png;base64,${image}`;

/** A request of each wire with as many kinds of lists and objects as possible. */
export const richRequests: Readonly<Record<Wire, Json>> = {
  chat: {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        name: 'alice',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: dataUrl } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Well.' }],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get weather', arguments: input } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Sunny.' }] },
      { role: 'assistant', content: 'Sunny.' },
      { role: 'user', content: 'Thanks.' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'get weather', description: 'The weather.', parameters: schema, strict: false },
      },
      { type: 'function', function: { name: 'get_time', parameters: schema } },
    ],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: [
          { type: 'function', function: { name: 'get weather' } },
          { type: 'function', function: { name: 'get_time' } },
        ],
      },
    },
    stop: ['END', 'STOP'],
    logit_bias: { 50256: -100 },
    metadata: { tag: 'a' },
    max_tokens: 100,
  },
  messages: {
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Well.' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: JSON.parse(input) as Json },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Sunny.' }] },
          { type: 'text', text: 'And?' },
        ],
      },
      { role: 'assistant', content: 'Sunny.' },
      { role: 'user', content: 'Thanks.' },
    ],
    tools: [
      { name: 'get_weather', description: 'The weather.', input_schema: schema },
      { name: 'get_time', input_schema: schema },
    ],
    tool_choice: { type: 'tool', name: 'get_weather' },
    stop_sequences: ['END', 'STOP'],
    metadata: { user_id: 'alice' },
  },
  responses: {
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: dataUrl, detail: 'auto' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'x' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Well.', annotations: [] }] },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: input },
      { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Sunny.' }] },
      { role: 'user', content: 'Thanks.' },
    ],
    tools: [
      { type: 'function', name: 'get_weather', description: 'The weather.', parameters: schema, strict: false },
      {
        type: 'namespace',
        name: 'clock',
        description: 'Times.',
        tools: [{ type: 'function', name: 'get_time', parameters: schema, strict: false }],
      },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_weather' }] },
    include: ['reasoning.encrypted_content'],
    metadata: { tag: 'a' },
    max_output_tokens: 100,
  },
  google: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: image } }] },
      {
        role: 'model',
        parts: [
          { text: 'Well.' },
          { functionCall: { id: 'call_1', name: 'get_weather', args: JSON.parse(input) as Json } },
        ],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response: { output: 'Sunny.' } } }],
      },
      { role: 'model', parts: [{ text: 'Sunny.' }] },
      { role: 'user', parts: [{ text: 'Thanks.' }] },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'get_weather', description: 'The weather.', parametersJsonSchema: schema },
          {
            name: 'get_time',
            parameters: {
              type: 'OBJECT',
              properties: { zone: { type: 'STRING', enum: ['UTC', 'CET'] } },
              required: ['zone'],
            },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather', 'get_time'] } },
    generationConfig: { maxOutputTokens: 100, stopSequences: ['END', 'STOP'] },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    labels: { tag: 'a' },
  },
};

/** The same request with an output schema instead of a forced tool. */
const structured: Readonly<Record<Wire, Json>> = {
  chat: { tool_choice: 'auto', response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
  messages: { tool_choice: { type: 'auto' }, output_config: { format: { type: 'json_schema', schema } } },
  responses: { tool_choice: 'auto', text: { format: { type: 'json_schema', name: 'answer', schema } } },
  google: { toolConfig: {}, generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
};
export const structuredRequests = (client: Wire): Json => ({ ...richRequests[client], ...structured[client] });

const named = (size: number): readonly string[] => Array.from({ length: size }, (_, number) => `tool ${number}`);
const wide = (size: number): Json => ({
  type: 'object',
  properties: Object.fromEntries(named(size).map((name) => [name, { type: 'string' }])),
  required: named(size),
  additionalProperties: false,
});

/** Two lists that refer to each other, grown together: each name of one is looked up in the other. */
export const pairedGrowths: Readonly<Record<Wire, readonly Growth[]>> = {
  chat: [
    {
      name: 'tools and the choice among them',
      at: (size) => ({
        messages: [{ role: 'user', content: 'x' }],
        tools: named(size).map((name) => ({ type: 'function', function: { name } })),
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: named(size).map((name) => ({ type: 'function', function: { name } })),
          },
        },
      }),
    },
    {
      name: 'properties and the required ones',
      at: (size) => ({
        messages: [{ role: 'user', content: 'x' }],
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: wide(size) } },
      }),
    },
    {
      name: 'custom tools and calls of them',
      at: (size) => ({
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            content: null,
            tool_calls: named(size).map((name) => ({
              id: `call ${name}`,
              type: 'custom',
              custom: { name, input: 'x' },
            })),
          },
          ...named(size).map((name) => ({ role: 'tool', tool_call_id: `call ${name}`, content: 'x' })),
        ],
        tools: named(size).map((name) => ({ type: 'custom', custom: { name } })),
      }),
    },
  ],
  messages: [
    {
      name: 'tools, calls and results',
      at: (size) => ({
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            content: named(size).map((name) => ({ type: 'tool_use', id: `call ${name}`, name, input: {} })),
          },
          {
            role: 'user',
            content: named(size).map((name) => ({ type: 'tool_result', tool_use_id: `call ${name}`, content: 'x' })),
          },
        ],
        tools: named(size).map((name) => ({ name, input_schema: { type: 'object' } })),
      }),
    },
    {
      name: 'properties and the required ones',
      at: (size) => ({
        max_tokens: 100,
        messages: [{ role: 'user', content: 'x' }],
        output_config: { format: { type: 'json_schema', schema: wide(size) } },
      }),
    },
  ],
  responses: [
    {
      name: 'tools, calls and results',
      at: (size) => ({
        input: [
          { role: 'user', content: 'x' },
          ...named(size).map((name) => ({ type: 'function_call', call_id: `call ${name}`, name, arguments: '{}' })),
          ...named(size).map((name) => ({ type: 'function_call_output', call_id: `call ${name}`, output: 'x' })),
        ],
        tools: named(size).map((name) => ({ type: 'function', name, parameters: { type: 'object' }, strict: false })),
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: named(size).map((name) => ({ type: 'function', name })),
        },
      }),
    },
    {
      name: 'properties and the required ones',
      at: (size) => ({ input: 'x', text: { format: { type: 'json_schema', name: 'answer', schema: wide(size) } } }),
    },
    {
      name: 'signatures and the calls they are of',
      at: (size) => ({
        input: [
          { role: 'user', content: 'x' },
          ...named(size).flatMap((name) => [
            { type: 'reasoning', id: `rs ${name}`, summary: [], encrypted_content: 'x' },
            { type: 'function_call', call_id: name, name: 'f', arguments: '{}' },
          ]),
        ],
      }),
    },
  ],
  google: [
    {
      name: 'declarations and the allowed ones',
      at: (size) => ({
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: named(size).map((name) => ({ name })) }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: named(size) } },
      }),
    },
    {
      name: 'properties and the required ones',
      at: (size) => ({
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: wide(size) },
      }),
    },
    {
      name: 'calls and responses of one function without ids',
      at: (size) => ({
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          { role: 'model', parts: named(size).map(() => ({ functionCall: { name: 'f', args: {} } })) },
          {
            role: 'user',
            parts: named(size).map(() => ({ functionResponse: { name: 'f', response: { output: 'x' } } })),
          },
        ],
      }),
    },
  ],
};
