import type { MatrixCase } from '../matrix-case.ts';
import { bodyOf, goodDay, userTurn, stateless } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';
import { unsaid, weather } from './tools.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const calls = [
  { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
  { id: 'call_2', name: 'get_weather', input: { city: 'Rome' } },
] as const;

/** The calls of the model in the history of each wire. */
const acted = {
  chat: {
    role: 'assistant',
    content: 'Checking.',
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  },
  messages: {
    role: 'assistant',
    content: [{ type: 'text', text: 'Checking.' }, ...calls.map((call) => ({ type: 'tool_use', ...call }))],
  },
  responses: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Checking.' }] },
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ],
  google: {
    role: 'model',
    parts: [
      { text: 'Checking.' },
      ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
    ],
  },
};

const chat = (...turns: readonly Json[]): Json =>
  bodyOf('chat', [userTurn.chat('Weather?'), acted.chat, ...turns], { tools: [weather.chat] });
const messages = (content: readonly Json[]): Json =>
  bodyOf('messages', [userTurn.messages('Weather?'), acted.messages, { role: 'user', content }], {
    tools: [weather.messages],
  });
const responses = (...items: readonly Json[]): Json =>
  bodyOf('responses', [userTurn.responses('Weather?'), ...acted.responses, ...items, userTurn.responses('Go on')], {
    tools: [weather.responses],
  });
/** The turn of a client that relies on the defaults of the wire. */
const responsesAsk = (...items: readonly Json[]): Json => ({
  ...responses(...items),
  tools: [{ ...weather.responses, ...unsaid }],
});
const google = (...turns: readonly Json[]): Json =>
  bodyOf('google', [userTurn.google('Weather?'), acted.google, ...turns], {
    tools: [{ functionDeclarations: [weather.google] }],
  });

const map = { type: 'text', text: 'A map.' };
const image = {
  chat: { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  responses: { type: 'input_image', image_url: `data:image/png;base64,${png}` },
  google: { inlineData: { mimeType: 'image/png', data: png } },
};
const goOn = { type: 'text', text: 'Go on' };
const failed = { type: 'tool_result', tool_use_id: 'call_1', content: 'ENOENT', is_error: true };
const outputOf = (id: string, output: unknown): Json => ({ type: 'function_call_output', call_id: id, output });
const error = outputOf('call_1', 'Error: ENOENT');
const mapOutput = (picture: Json): Json => outputOf('call_2', [{ type: 'input_text', text: 'A map.' }, picture]);
const responseOf = (id: string, response: Json, more: Json = {}): Json => ({
  functionResponse: { id, name: 'get_weather', response, ...more },
});
/** Gemini 3 takes media inside a result; for earlier models they are moved behind all results. */
const googleResults = (first: Json): Readonly<Record<'inside' | 'behind', Json>> => ({
  inside: {
    role: 'user',
    parts: [
      responseOf('call_1', first),
      responseOf('call_2', { output: 'A map.' }, { parts: [image.google] }),
      { text: 'Go on' },
    ],
  },
  behind: {
    role: 'user',
    parts: [responseOf('call_1', first), responseOf('call_2', { output: 'A map.' }), image.google, { text: 'Go on' }],
  },
});
const enoent = googleResults({ error: 'ENOENT' });
const errorText = googleResults({ output: 'Error: ENOENT' });
/** A conversation with Gemini 3 in which another model made the calls. */
const signed = (content: Json): Json => {
  const [first, call, ...others] = acted.google.parts;
  const parts = [first, { ...call, thoughtSignature: 'skip_thought_signature_validator' }, ...others];
  return { ...google(content), contents: [userTurn.google('Weather?'), { role: 'model', parts }, content] };
};

/**
 * The same results as far as each wire can express them: OpenAI's wires have no flag for failure, and chat no image in
 * a result.
 */
export const toolResults: MatrixCase = {
  name: 'a failed tool result and one with an image (E12, E13)',
  request: {
    chat: chat(
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: ENOENT' },
      { role: 'tool', tool_call_id: 'call_2', content: [map] },
      userTurn.chat('Go on'),
    ),
    messages: messages([failed, { type: 'tool_result', tool_use_id: 'call_2', content: [map, image.messages] }, goOn]),
    responses: responsesAsk(error, mapOutput(image.responses)),
    google: google(enoent.inside),
  },
  received: {
    chat: chat(
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: ENOENT' },
      { role: 'tool', tool_call_id: 'call_2', content: [map, { type: 'text', text: '[image attached]' }] },
      { role: 'user', content: [image.chat] },
      userTurn.chat('Go on'),
    ),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'ENOENT' }], is_error: true },
      { type: 'tool_result', tool_use_id: 'call_2', content: [map, image.messages] },
      goOn,
    ]),
    responses: { ...responses(error, mapOutput({ ...image.responses, detail: 'auto' })), ...stateless },
    google: google(enoent.behind),
  },
  vendor: goodDay,
  losses: {
    'messages>chat': ['messages[2].content[0].is_error;approximated', 'messages[2].content[1].content;approximated'],
    'responses>chat': ['input[5].output;approximated'],
    'google>chat': [
      'contents[2].parts[0].functionResponse.response.error;approximated',
      'contents[2].parts[1].functionResponse.parts;approximated',
    ],
    'messages>responses': ['messages[2].content[0].is_error;approximated'],
    'google>responses': ['contents[2].parts[0].functionResponse.response.error;approximated'],
    'messages>google': ['messages[2].content[1].content[1].source;approximated'],
    'responses>google': ['input[5].output[1].image_url;approximated'],
    'google>google': ['contents[2].parts[1].functionResponse.parts;approximated'],
  },
  but: {
    // Google results have the name of the function.
    'google>chat': {
      received: chat(
        { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: 'Error: ENOENT' },
        {
          role: 'tool',
          tool_call_id: 'call_2',
          name: 'get_weather',
          content: [map, { type: 'text', text: '[image attached]' }],
        },
        { role: 'user', content: [image.chat] },
        userTurn.chat('Go on'),
      ),
    },
    'google>google': { received: google(enoent.behind) },
    'chat>messages': {
      received: messages([
        { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Error: ENOENT' }] },
        { type: 'tool_result', tool_use_id: 'call_2', content: [map] },
        goOn,
      ]),
    },
    'responses>messages': {
      received: messages([
        { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Error: ENOENT' }] },
        { type: 'tool_result', tool_use_id: 'call_2', content: [map, image.messages] },
        goOn,
      ]),
    },
    'chat>responses': { received: responses(error, outputOf('call_2', 'A map.')) },
    'chat>google': {
      received: google({
        role: 'user',
        parts: [
          responseOf('call_1', { output: 'Error: ENOENT' }),
          responseOf('call_2', { output: 'A map.' }),
          { text: 'Go on' },
        ],
      }),
    },
    'responses>google': {
      received: google(errorText.behind),
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

/** The same for a model that takes the image inside the result and requires a signature on the first call of a step. */
export const resultsInside: MatrixCase = {
  ...toolResults,
  name: 'tool results with images after unsigned calls (E37)',
  models: { google: 'gemini-3-pro-preview' },
  received: { ...toolResults.received, google: signed(enoent.inside) },
  losses: {
    ...toolResults.losses,
    'chat>google': ['messages;injected'],
    'messages>google': ['messages;injected'],
    'responses>google': ['input;injected'],
    'google>google': ['contents;injected'],
  },
  but: {
    ...toolResults.but,
    'chat>google': {
      received: signed({
        role: 'user',
        parts: [
          responseOf('call_1', { output: 'Error: ENOENT' }),
          responseOf('call_2', { output: 'A map.' }),
          { text: 'Go on' },
        ],
      }),
    },
    'responses>google': { received: signed(errorText.inside) },
    'google>google': { received: signed(enoent.inside) },
  },
};

/** Results out of order and in several turns: every wire except chat requires them in one place, after their calls. */
export const scatteredResults: MatrixCase = {
  name: 'tool results in another order than their calls (E8)',
  request: {
    chat: chat(
      { role: 'tool', tool_call_id: 'call_2', content: 'Sunny' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      userTurn.chat('Go on'),
    ),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_2', content: 'Sunny' },
      { type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' },
      goOn,
    ]),
    responses: responsesAsk(outputOf('call_2', 'Sunny'), outputOf('call_1', 'Rain')),
    google: google({
      role: 'user',
      parts: [responseOf('call_2', { output: 'Sunny' }), responseOf('call_1', { output: 'Rain' }), { text: 'Go on' }],
    }),
  },
  received: {
    chat: chat(
      { role: 'tool', tool_call_id: 'call_2', content: 'Sunny' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      userTurn.chat('Go on'),
    ),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'Sunny' }] },
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Rain' }] },
      goOn,
    ]),
    responses: { ...responses(outputOf('call_2', 'Sunny'), outputOf('call_1', 'Rain')), ...stateless },
    google: google({
      role: 'user',
      parts: [responseOf('call_2', { output: 'Sunny' }), responseOf('call_1', { output: 'Rain' }), { text: 'Go on' }],
    }),
  },
  vendor: goodDay,
  but: {
    'google>chat': {
      received: chat(
        { role: 'tool', tool_call_id: 'call_2', name: 'get_weather', content: 'Sunny' },
        { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: 'Rain' },
        userTurn.chat('Go on'),
      ),
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

const missing = { role: 'tool', tool_call_id: 'call_2', name: 'get_weather', content: 'Error: no result was provided' };

/** The result of a tool need not be text, and can be missing. */
export const scalarAndMissing: MatrixCase = {
  name: 'a number as a result, and a call without a result (E10, E14)',
  request: {
    chat: chat({ role: 'tool', tool_call_id: 'call_1', content: '42' }, userTurn.chat('Go on')),
    messages: messages([{ type: 'tool_result', tool_use_id: 'call_1', content: '42' }, goOn]),
    responses: responsesAsk(outputOf('call_1', '42')),
    google: google({ role: 'user', parts: [responseOf('call_1', { output: 42 }), { text: 'Go on' }] }),
  },
  received: {
    chat: chat({ role: 'tool', tool_call_id: 'call_1', content: '42' }, missing, userTurn.chat('Go on')),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '42' }] },
      {
        type: 'tool_result',
        tool_use_id: 'call_2',
        content: [{ type: 'text', text: 'no result was provided' }],
        is_error: true,
      },
      goOn,
    ]),
    responses: {
      ...responses(outputOf('call_1', '42'), outputOf('call_2', 'Error: no result was provided')),
      ...stateless,
    },
    google: google({
      role: 'user',
      parts: [
        responseOf('call_1', { output: 42 }),
        responseOf('call_2', { error: 'no result was provided' }),
        { text: 'Go on' },
      ],
    }),
  },
  vendor: goodDay,
  losses: {
    'chat>*': ['messages[1].tool_calls[1];injected'],
    'messages>*': ['messages[1].content[2];injected'],
    'responses>*': ['input[3];injected'],
    'google>*': ['contents[1].parts[2];injected'],
    // OpenAI's wires have no flag for a failed result.
    'chat>responses': ['messages;approximated'],
    'messages>chat': ['messages;approximated'],
    'messages>responses': ['messages;approximated'],
    'responses>chat': ['input;approximated'],
    'google>chat': ['contents;approximated'],
    'google>responses': ['contents;approximated'],
  },
  but: {
    'google>chat': {
      received: chat(
        { role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content: '42' },
        missing,
        userTurn.chat('Go on'),
      ),
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};
