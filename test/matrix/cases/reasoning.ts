import type { MatrixCase } from '../matrix-case.ts';
import { userTurn, openReasoning } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';
import { unsaid, weather } from './tools.ts';

const thought = 'Paris or Rome? Paris.';
const call = { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } };
const chatCall = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };

const chat = (...turns: readonly Json[]): Json => ({
  max_completion_tokens: 4_000,
  reasoning_effort: 'high',
  tools: [weather.chat],
  messages: [userTurn.chat('Weather?'), ...turns],
});
const messages = (...turns: readonly Json[]): Json => ({
  max_tokens: 4_000,
  thinking: { type: 'enabled', budget_tokens: 2_400 },
  tools: [weather.messages],
  messages: [userTurn.messages('Weather?'), ...turns],
});
const responses = (...items: readonly Json[]): Json => ({
  max_output_tokens: 4_000,
  reasoning: { effort: 'high', summary: 'auto' },
  tools: [weather.responses],
  input: [userTurn.responses('Weather?'), ...items],
  ...openReasoning,
});
/** The turn of a client that relies on the defaults of the wire. */
const responsesAsk = (...items: readonly Json[]): Json => ({
  ...responses(...items),
  tools: [{ ...weather.responses, ...unsaid }],
  store: undefined,
});
const google = (...turns: readonly Json[]): Json => ({
  generationConfig: { maxOutputTokens: 4_000, thinkingConfig: { thinkingBudget: 2_400, includeThoughts: true } },
  tools: [{ functionDeclarations: [weather.google] }],
  contents: [userTurn.google('Weather?'), ...turns],
});

/** The result of the tool, as a turn of each wire. */
const result = {
  chat: { role: 'tool', tool_call_id: 'call_1', content: '18C' },
  messages: (content: unknown) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'call_1', content }],
  }),
  responses: { type: 'function_call_output', call_id: 'call_1', output: '18C' },
  google: {
    role: 'user',
    parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response: { output: '18C' } } }],
  },
};
const chatTurn: Json = { role: 'assistant', content: 'Checking.', tool_calls: [chatCall] };
const messagesTurn = [
  { type: 'thinking', thinking: thought, signature: 'SIG' },
  { type: 'redacted_thinking', data: 'HIDDEN' },
  { type: 'text', text: 'Checking.' },
  { type: 'tool_use', ...call },
];
const item = {
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: thought }],
  encrypted_content: 'ENCRYPTED',
} as const;
const message = { type: 'message', content: [{ type: 'output_text', text: 'Checking.' }] } as const;
const functionCall = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Paris"}',
} as const;
const googleTurn = [
  { text: thought, thought: true },
  { text: 'Checking.' },
  { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Paris' } }, thoughtSignature: 'U0lH' },
];

/**
 * Reasoning with its proof, and what is returned in the next turn. The vendor that made it gets it unchanged, whatever
 * the client's wire; OpenAI takes none on chat.
 */
export const reasoning: MatrixCase = {
  name: 'signed reasoning that is returned in the next turn',
  models: { chat: 'gpt-5.1', responses: 'gpt-5.1' },
  request: { chat: chat(), messages: messages(), responses: responsesAsk(), google: google() },
  received: { chat: chat(), messages: messages(), responses: responses(), google: google() },
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
        {
          reasoning_content: 'Paris or ',
          reasoning_details: [{ type: 'reasoning.text', text: 'Paris or ', index: 0, format: 'unknown' }],
        },
        {
          reasoning_content: 'Rome? Paris.',
          reasoning_details: [{ type: 'reasoning.text', text: 'Rome? Paris.', index: 0, format: 'unknown' }],
        },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0, format: 'unknown' }] },
        { content: 'Checking.' },
        { tool_calls: [{ index: 0, ...chatCall }] },
      ],
      finish: 'tool_calls',
    },
    messages: { content: messagesTurn, finish: 'tool_use' },
    responses: { output: [item, message, functionCall] },
    google: { parts: googleTurn, finish: 'STOP' },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 90, reasoning: 60 },
  losses: {
    'chat>messages': ['reasoning_effort;approximated'],
    'chat>google': ['reasoning_effort;approximated'],
    'messages>chat': ['thinking.budget_tokens;approximated', 'thinking;approximated'],
    'messages>responses': ['thinking.budget_tokens;approximated'],
    'responses>chat': ['reasoning.summary;approximated'],
    'responses>messages': ['reasoning.effort;approximated'],
    'responses>google': ['reasoning.effort;approximated'],
    'google>chat': [
      'generationConfig.thinkingConfig.thinkingBudget;approximated',
      'generationConfig.thinkingConfig.includeThoughts;approximated',
    ],
    'google>responses': ['generationConfig.thinkingConfig.thinkingBudget;approximated'],
  },
  but: {
    // A client of chat cannot request it.
    'chat>responses': { received: { reasoning: { effort: 'high' } }, receivedNext: { reasoning: { effort: 'high' } } },
    // Google results have the name of the function.
    'google>chat': {
      receivedNext: { messages: [userTurn.chat('Weather?'), chatTurn, { ...result.chat, name: 'get_weather' }] },
    },
    // OpenAI takes no reasoning back on chat.
    'chat>chat': { receivedNext: { messages: [userTurn.chat('Weather?'), chatTurn, result.chat] } },
  },
  expected: { reasoning: thought, text: 'Checking.', calls: [call], finish: 'tool_calls' },
  next: {
    request: {
      chat: (turn) => chat(...turn, result.chat),
      messages: (turn) => messages(...turn, result.messages('18C')),
      responses: (turn) => responsesAsk(...turn, result.responses),
      google: (turn) => google(...turn, result.google),
    },
    received: {
      chat: chat(chatTurn, result.chat),
      messages: messages(
        { role: 'assistant', content: messagesTurn },
        result.messages([{ type: 'text', text: '18C' }]),
      ),
      responses: responses(item, { ...message, role: 'assistant' }, functionCall, result.responses),
      google: google({ role: 'model', parts: googleTurn }, result.google),
    },
  },
};

/** The response was cut off before any text. */
export const thinkingOnly: MatrixCase = {
  name: 'only reasoning, cut off by the cap (E50)',
  models: { chat: 'gpt-5.1', responses: 'gpt-5.1' },
  request: { chat: chat(), messages: messages(), responses: responsesAsk(), google: google() },
  received: { chat: chat(), messages: messages(), responses: responses(), google: google() },
  vendor: {
    chat: { message: { content: null, reasoning_content: thought }, finish: 'length' },
    messages: { content: [{ type: 'thinking', thinking: thought, signature: 'SIG' }], finish: 'max_tokens' },
    responses: { output: [item], incomplete: 'max_output_tokens' },
    google: { parts: [{ text: thought, thought: true }], finish: 'MAX_TOKENS' },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 4_000, reasoning: 4_000 },
  losses: reasoning.losses,
  but: { 'chat>responses': { received: { reasoning: { effort: 'high' } } } },
  expected: { reasoning: thought, finish: 'length' },
};
