import type { MatrixCase } from '../matrix-case.ts';
import type { Json } from '../wires.ts';
import { chatTools, messagesTools } from './tools.ts';

const [chatWeather] = chatTools;
const [messagesWeather] = messagesTools;
const thought = 'Paris or Rome? Paris.';
const call = { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } };
const chatCall = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
const user = { role: 'user', content: 'Weather?' };
const userBlocks = { role: 'user', content: [{ type: 'text', text: 'Weather?' }] };

const chatBase = { max_completion_tokens: 4_000, reasoning_effort: 'high', tools: [chatWeather] };
const messagesBase = { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_400 }, tools: [messagesWeather] };

/** Behind the calls of a turn: the answer of the tool, as each wire writes it. */
const chatResult = { role: 'tool', tool_call_id: 'call_1', content: '18C' };
const messagesResult = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] });
const chatTurn: Json = { role: 'assistant', content: 'Checking.', tool_calls: [chatCall] };
const messagesTurn: Json = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: thought, signature: 'SIG' },
    { type: 'redacted_thinking', data: 'HIDDEN' },
    { type: 'text', text: 'Checking.' },
    { type: 'tool_use', ...call },
  ],
};

/**
 * Reasoning with its proof, and what comes back of it in the next turn: the vendor that made it gets it as it was, whatever wire the client
 * spoke; OpenAI takes none on this wire.
 */
export const reasoning: MatrixCase = {
  name: 'reasoning with a signature, and its way back in the next turn',
  models: { chat: 'gpt-5.1', messages: 'claude-sonnet-4-5' },
  request: { chat: { ...chatBase, messages: [user] }, messages: { ...messagesBase, messages: [user] } },
  received: { chat: { ...chatBase, messages: [user] }, messages: { ...messagesBase, messages: [userBlocks] } },
  vendor: {
    chat: {
      message: {
        content: 'Checking.',
        reasoning_content: thought,
        reasoning_details: [{ type: 'reasoning.text', text: thought, signature: 'SIG', index: 0, format: 'unknown' }],
        tool_calls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
      },
      deltas: [
        { role: 'assistant', content: '' },
        { reasoning_content: 'Paris or ', reasoning_details: [{ type: 'reasoning.text', text: 'Paris or ', index: 0, format: 'unknown' }] },
        { reasoning_content: 'Rome? Paris.', reasoning_details: [{ type: 'reasoning.text', text: 'Rome? Paris.', index: 0, format: 'unknown' }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0, format: 'unknown' }] },
        { content: 'Checking.' },
        { tool_calls: [{ index: 0, ...chatCall }] },
      ],
      finish: 'tool_calls',
    },
    messages: { content: messagesTurn['content'] as [], finish: 'tool_use' },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 90, reasoning: 60 },
  losses: { chat: ['reasoning_effort;approximated'], messages: ['thinking.budget_tokens;approximated', 'reasoning.show;approximated'] },
  expected: { reasoning: thought, text: 'Checking.', calls: [call], finish: { chat: 'tool_calls', messages: 'tool_use' } },
  next: {
    request: {
      chat: (turn) => ({ ...chatBase, messages: [user, turn, chatResult] }),
      messages: (turn) => ({ ...messagesBase, messages: [user, turn, messagesResult('18C')] }),
    },
    received: {
      'chat>chat': { ...chatBase, messages: [user, chatTurn, chatResult] },
      'messages>chat': { ...chatBase, messages: [user, chatTurn, chatResult] },
      'chat>messages': { ...messagesBase, messages: [userBlocks, messagesTurn, messagesResult([{ type: 'text', text: '18C' }])] },
      'messages>messages': { ...messagesBase, messages: [user, messagesTurn, messagesResult('18C')] },
    },
  },
};
