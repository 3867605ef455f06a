import type { MatrixCase } from '../matrix-case.ts';
import { textAnswer, requestBodies, receivedBodies, bodyOf, userTurn } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const reply = '{"city":"Paris"}';

/** Only OpenAI's wires have a name and `strict` for a format. */
const named = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } } },
  responses: { text: { format: { type: 'json_schema', name: 'place', schema, strict: true } } },
};
const unnamed = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } },
  messages: { output_config: { format: { type: 'json_schema', schema } } },
  responses: { text: { format: { type: 'json_schema', name: 'response', schema } } },
  google: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
};
/** The other wires always enforce a schema, which OpenAI calls strict. */
const bound = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'response', schema, strict: true } } },
  responses: { text: { format: { type: 'json_schema', name: 'response', schema, strict: true } } },
};
const between = { 'chat>responses': { received: named.responses }, 'responses>chat': { received: named.chat } };

export const jsonSchema: MatrixCase = {
  name: 'structured output',
  request: requestBodies('Where?', { ...unnamed, ...named }),
  received: receivedBodies('Where?', { ...unnamed, ...bound }),
  vendor: textAnswer(reply),
  but: between,
  expected: { text: reply, finish: 'stop' },
};

const mission = { output_config: { format: { type: 'json_schema', name: 'place', schema } } };

/** The gateway accepts a name for a format; the vendor of messages rejects it, OpenAI requires one. */
export const namedFormat: MatrixCase = {
  name: 'structured output with a named format',
  request: requestBodies('Where?', { ...unnamed, ...named, messages: mission }),
  received: receivedBodies('Where?', { ...unnamed, ...bound }),
  vendor: textAnswer(reply),
  but: {
    ...between,
    'messages>messages': { received: unnamed.messages },
    'messages>chat': {
      received: { response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } } },
    },
    'messages>responses': {
      received: { text: { format: { type: 'json_schema', name: 'place', schema, strict: true } } },
    },
  },
  expected: { text: reply, finish: 'stop' },
};

const jsonTool = {
  name: 'json',
  description: 'Gives the final answer. Its arguments are the answer.',
  input_schema: schema,
};
const forced = { tool_choice: { type: 'tool', name: 'json', disable_parallel_tool_use: true } };

/** Claude 4 has no schema output: a hidden tool replaces it, which the client never sees. */
export const hiddenTool: MatrixCase = {
  name: 'structured output for a model without it (E43, E51)',
  models: { messages: 'claude-sonnet-4' },
  request: requestBodies('Where?', { ...named, google: unnamed.google }),
  received: receivedBodies('Where?', { ...unnamed, ...bound, messages: { tools: [jsonTool], ...forced } }),
  vendor: {
    ...textAnswer(reply),
    messages: {
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: { city: 'Paris' } }],
      finish: 'tool_use',
    },
  },
  losses: {
    'chat>messages': ['response_format;approximated'],
    'responses>messages': ['text.format;approximated'],
    'google>messages': ['generationConfig.responseMimeType;approximated'],
  },
  but: {
    ...between,
    'chat>messages': { received: { tools: [{ ...jsonTool, strict: true }] } },
    'responses>messages': { received: { tools: [{ ...jsonTool, strict: true }] } },
    // On the native lane, a client of messages must send the tool itself. This case has none.
    'messages>messages': {
      text: '',
      calls: [{ id: 'toolu_1', name: 'json', input: { city: 'Paris' } }],
      finish: 'tool_calls',
    },
    'messages>chat': { received: { response_format: undefined } },
    'messages>responses': { received: { text: undefined } },
    'messages>google': { received: { generationConfig: { maxOutputTokens: 100 } } },
  },
  expected: { text: reply, finish: 'stop' },
};

/** JSON without a schema, as each wire requests it. Messages cannot. */
const inJson = (name: 'chat' | 'responses' | 'google'): Json =>
  ({
    chat: { response_format: { type: 'json_object' } },
    responses: { text: { format: { type: 'json_object' } } },
    google: { generationConfig: { responseMimeType: 'application/json' } },
  })[name];

/** Messages has no JSON mode: the gateway adds an instruction to the system prompt. */
export const freeJson: MatrixCase = {
  name: 'JSON without a schema',
  request: requestBodies('Which JSON?', {
    chat: inJson('chat'),
    responses: inJson('responses'),
    google: inJson('google'),
  }),
  received: receivedBodies('Which JSON?', {
    chat: inJson('chat'),
    messages: { system: [{ type: 'text', text: 'Answer with a single JSON object and nothing else.' }] },
    responses: inJson('responses'),
    google: inJson('google'),
  }),
  vendor: textAnswer(reply),
  losses: {
    'chat>messages': ['response_format;injected'],
    'responses>messages': ['text.format;injected'],
    'google>messages': ['generationConfig.responseMimeType;injected'],
  },
  but: {
    'messages>chat': { received: { response_format: undefined } },
    'messages>responses': { received: { text: undefined } },
    'messages>google': { received: { generationConfig: { maxOutputTokens: 100 } } },
  },
  expected: { text: reply, finish: 'stop' },
};

const hint = 'Answer with a single JSON object and nothing else.';

/** OpenAI rejects its JSON mode unless the prompt contains the word. */
export const unnamedJson: MatrixCase = {
  ...freeJson,
  name: 'JSON without a schema and without the word JSON in the prompt (E42)',
  request: requestBodies('Which?', { chat: inJson('chat'), responses: inJson('responses'), google: inJson('google') }),
  received: {
    ...receivedBodies('Which?', {
      messages: { system: [{ type: 'text', text: hint }] },
      responses: { ...inJson('responses'), instructions: hint },
      google: inJson('google'),
    }),
    chat: bodyOf('chat', [{ role: 'system', content: hint }, userTurn.chat('Which?')], inJson('chat')),
  },
  losses: {
    ...freeJson.losses,
    'chat>responses': ['response_format;injected'],
    'responses>chat': ['text.format;injected'],
    'google>chat': ['generationConfig.responseMimeType;injected'],
    'google>responses': ['generationConfig.responseMimeType;injected'],
  },
  but: {
    ...freeJson.but,
    'messages>chat': { received: { response_format: undefined, messages: [userTurn.chat('Which?')] } },
    'messages>responses': { received: { text: undefined, instructions: undefined } },
  },
};
