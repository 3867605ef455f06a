import type { MatrixCase } from '../matrix-case.ts';
import { bodyOf, goodDay, said, stateless } from '../said.ts';
import type { Json } from '../wires.ts';
import { weather } from './tools.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const calls = [
  { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
  { id: 'call_2', name: 'get_weather', input: { city: 'Rome' } },
] as const;

/** What the model did, as each wire has it in its history. */
const acted = {
  chat: { role: 'assistant', content: 'Checking.', tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })) },
  messages: { role: 'assistant', content: [{ type: 'text', text: 'Checking.' }, ...calls.map((call) => ({ type: 'tool_use', ...call }))] },
  responses: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Checking.' }] },
    ...calls.map(({ id, name, input }) => ({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) })),
  ],
  google: { role: 'model', parts: [{ text: 'Checking.' }, ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))] },
};

const chat = (...turns: readonly Json[]): Json => bodyOf('chat', [said.chat('Weather?'), acted.chat, ...turns], { tools: [weather.chat] });
const messages = (content: readonly Json[]): Json => bodyOf('messages', [said.messages('Weather?'), acted.messages, { role: 'user', content }], { tools: [weather.messages] });
const responses = (...items: readonly Json[]): Json =>
  bodyOf('responses', [said.responses('Weather?'), ...acted.responses, ...items, said.responses('Go on')], { tools: [weather.responses] });
const google = (...turns: readonly Json[]): Json => bodyOf('google', [said.google('Weather?'), acted.google, ...turns], { tools: [{ functionDeclarations: [weather.google] }] });

const map = { type: 'text', text: 'A map.' };
const image = {
  chat: { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  responses: { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
  google: { inlineData: { mimeType: 'image/png', data: png } },
};
const goOn = { type: 'text', text: 'Go on' };
const failed = { type: 'tool_result', tool_use_id: 'call_1', content: 'ENOENT', is_error: true };
const results = {
  responses: [
    { type: 'function_call_output', call_id: 'call_1', output: 'Error: ENOENT' },
    { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'A map.' }, image.responses] },
  ],
  google: [
    { functionResponse: { id: 'call_1', name: 'get_weather', response: { error: 'ENOENT' } } },
    { functionResponse: { id: 'call_2', name: 'get_weather', response: { output: 'A map.' }, parts: [image.google] } },
  ],
};

/** The same meaning as far as each wire has words: OpenAI's have no flag for failure, and chat no image in a result. */
export const toolResults: MatrixCase = {
  name: 'tool results: one failed, one with an image',
  request: {
    chat: chat({ role: 'tool', tool_call_id: 'call_1', content: 'Error: ENOENT' }, { role: 'tool', tool_call_id: 'call_2', content: [map] }, said.chat('Go on')),
    messages: messages([failed, { type: 'tool_result', tool_use_id: 'call_2', content: [map, image.messages] }, goOn]),
    responses: responses(...results.responses),
    google: google({ role: 'user', parts: [...results.google, { text: 'Go on' }] }),
  },
  received: {
    chat: chat(
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: ENOENT' },
      { role: 'tool', tool_call_id: 'call_2', content: [map, { type: 'text', text: '[image attached]' }] },
      { role: 'user', content: [image.chat] },
      said.chat('Go on'),
    ),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'ENOENT' }], is_error: true },
      { type: 'tool_result', tool_use_id: 'call_2', content: [map, image.messages] },
      goOn,
    ]),
    responses: { ...responses(...results.responses), ...stateless },
    google: google({ role: 'user', parts: [...results.google, { text: 'Go on' }] }),
  },
  vendor: goodDay,
  losses: {
    'messages>chat': ['messages[2].failed;approximated', 'messages[2].content;approximated'],
    'responses>chat': ['messages[2].content;approximated'],
    'google>chat': ['messages[2].failed;approximated', 'messages[2].content;approximated'],
  },
  but: {
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
    'chat>responses': { received: responses(results.responses[0] as Json, { type: 'function_call_output', call_id: 'call_2', output: 'A map.' }) },
    'chat>google': {
      received: google({
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'get_weather', response: { output: 'Error: ENOENT' } } },
          { functionResponse: { id: 'call_2', name: 'get_weather', response: { output: 'A map.' } } },
          { text: 'Go on' },
        ],
      }),
    },
    'responses>google': {
      received: google({
        role: 'user',
        parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response: { output: 'Error: ENOENT' } } }, results.google[1] as Json, { text: 'Go on' }],
      }),
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

/** Out of order, and scattered: every wire but chat wants them in one place, each behind its call (E8). */
export const scatteredResults: MatrixCase = {
  name: 'tool results in another order than their calls',
  request: {
    chat: chat({ role: 'tool', tool_call_id: 'call_2', content: 'Sunny' }, { role: 'tool', tool_call_id: 'call_1', content: 'Rain' }, said.chat('Go on')),
    messages: messages([{ type: 'tool_result', tool_use_id: 'call_2', content: 'Sunny' }, { type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' }, goOn]),
    responses: responses({ type: 'function_call_output', call_id: 'call_2', output: 'Sunny' }, { type: 'function_call_output', call_id: 'call_1', output: 'Rain' }),
    google: google({
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_2', name: 'get_weather', response: { output: 'Sunny' } } },
        { functionResponse: { id: 'call_1', name: 'get_weather', response: { output: 'Rain' } } },
        { text: 'Go on' },
      ],
    }),
  },
  received: {
    chat: chat({ role: 'tool', tool_call_id: 'call_2', content: 'Sunny' }, { role: 'tool', tool_call_id: 'call_1', content: 'Rain' }, said.chat('Go on')),
    messages: messages([
      { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'Sunny' }] },
      { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Rain' }] },
      goOn,
    ]),
    responses: { ...responses({ type: 'function_call_output', call_id: 'call_2', output: 'Sunny' }, { type: 'function_call_output', call_id: 'call_1', output: 'Rain' }), ...stateless },
    google: google({
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_2', name: 'get_weather', response: { output: 'Sunny' } } },
        { functionResponse: { id: 'call_1', name: 'get_weather', response: { output: 'Rain' } } },
        { text: 'Go on' },
      ],
    }),
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: 'stop' },
};
