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

/** Only OpenAI's wires name a format and say whether it is strict. */
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
/** On the other wires a schema always binds: OpenAI is asked for what it calls strict. */
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

/** mission.md gives a format a name; the vendor of messages refuses one, OpenAI wants one. */
export const namedFormat: MatrixCase = {
  name: 'structured output with the member of mission.md',
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
  description: 'Gives the final textAnswer. Its arguments are the textAnswer.',
  input_schema: schema,
};
const forced = { tool_choice: { type: 'tool', name: 'json', disable_parallel_tool_use: true } };

/** Claude 4 has no schema output: a hidden tool takes its place, and the client never sees it. */
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
    // To its own vendor, who has none, a client of messages writes the tool itself; to the others it says nothing here.
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

/** Any JSON at all, as each wire asks for it; messages cannot. */
const inJson = (name: 'chat' | 'responses' | 'google'): Json =>
  ({
    chat: { response_format: { type: 'json_object' } },
    responses: { text: { format: { type: 'json_object' } } },
    google: { generationConfig: { responseMimeType: 'application/json' } },
  })[name];

/** Messages cannot say it, nor do its models know it: the system prompt asks for it. */
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

/** OpenAI refuses its JSON mode unless the prompt has the word in it. */
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
