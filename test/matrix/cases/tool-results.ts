import { goodDay, stopped, type MatrixCase } from '../matrix-case.ts';
import { chatTools, messagesTools } from './tools.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const [chatWeather] = chatTools;
const [messagesWeather] = messagesTools;
const calls = [
  { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
  { id: 'call_2', name: 'get_weather', input: { city: 'Rome' } },
] as const;
const chatAssistant = {
  role: 'assistant',
  content: 'Checking.',
  tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })),
};
const messagesAssistant = { role: 'assistant', content: [{ type: 'text', text: 'Checking.' }, ...calls.map((call) => ({ type: 'tool_use', ...call }))] };
const imageBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };

/** The same meaning as far as each wire has words: chat has no flag for failure and no image in a result. */
export const toolResults: MatrixCase = {
  name: 'tool results: one failed, one with an image',
  request: {
    chat: {
      max_completion_tokens: 100,
      tools: [chatWeather],
      messages: [
        { role: 'user', content: 'Weather?' },
        chatAssistant,
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'A map.' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'ENOENT' },
        { role: 'user', content: 'Go on' },
      ],
    },
    messages: {
      max_tokens: 100,
      tools: [messagesWeather],
      messages: [
        { role: 'user', content: 'Weather?' },
        messagesAssistant,
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'ENOENT', is_error: true },
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'A map.' }, imageBlock] },
            { type: 'text', text: 'Go on' },
          ],
        },
      ],
    },
  },
  received: {
    chat: {
      max_completion_tokens: 100,
      tools: [chatWeather],
      messages: [
        { role: 'user', content: 'Weather?' },
        chatAssistant,
        { role: 'tool', tool_call_id: 'call_1', content: 'Error: ENOENT' },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'A map.' }, { type: 'text', text: '[image attached]' }] },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }] },
        { role: 'user', content: 'Go on' },
      ],
    },
    messages: {
      max_tokens: 100,
      tools: [messagesWeather],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        messagesAssistant,
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'A map.' }] },
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'ENOENT' }] },
            { type: 'text', text: 'Go on' },
          ],
        },
      ],
    },
  },
  vendor: goodDay,
  losses: { messages: ['messages[2].failed;approximated', 'messages[2].content;approximated'] },
  expected: { text: 'Good day.', finish: stopped },
};
