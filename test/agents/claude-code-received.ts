import { createHash } from 'node:crypto';
import type { Json, Wire } from '../matrix/wires.ts';
import {
  claudeRequest,
  draftSchemas,
  identity,
  opening,
  plan,
  reminder,
  results,
  task,
  userId,
} from './claude-code.ts';

interface Received {
  readonly first: Json;
  readonly second: Json;
}

const brief = 'Use the tools. Be brief.';
const hello = 'Hello! What shall we do?';
const look = 'I will look.';
const line = '1\tconst a = 1;';
const args = { read: '{"file_path":"/repo/a.ts"}', search: '{"query":"const"}' };
const user = createHash('sha256').update(userId).digest('hex');
const text = (words: string): Json => ({ type: 'text', text: words });
const asInput = (words: string): Json => ({ type: 'input_text', text: words });

const chat = (...turns: readonly Json[]): Json => ({
  model: 'gpt-5.1',
  messages: [
    { role: 'system', content: [text(identity), text(brief)] },
    { role: 'user', content: [text(reminder), text('Hello')] },
    { role: 'assistant', content: hello },
    { role: 'system', content: plan },
    { role: 'user', content: task },
    ...turns,
  ],
  tools: [
    { type: 'function', function: { name: 'Read', description: 'Reads a file.', parameters: draftSchemas.read } },
    {
      type: 'function',
      function: { name: 'mcp__docs__search', description: 'Searches the docs.', parameters: draftSchemas.search },
    },
  ],
  max_completion_tokens: 32_000,
  reasoning_effort: 'medium',
  user,
  stream: true,
  stream_options: { include_usage: true },
});
const chatSecond = chat(
  {
    role: 'assistant',
    content: look,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'Read', arguments: args.read } },
      { id: 'call_2', type: 'function', function: { name: 'mcp__docs__search', arguments: args.search } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: line },
  { role: 'tool', tool_call_id: 'call_2', content: 'Error: No such page.' },
);

const message = (role: string, ...content: readonly Json[]): Json => ({ type: 'message', role, content });
const responses = (...items: readonly Json[]): Json => ({
  model: 'gpt-5-codex',
  instructions: `${identity}\n\n${brief}`,
  input: [
    message('user', asInput(reminder), asInput('Hello')),
    message('assistant', { type: 'output_text', text: hello }),
    message('developer', asInput(plan)),
    message('user', asInput(task)),
    ...items,
  ],
  tools: [
    { type: 'function', name: 'Read', description: 'Reads a file.', parameters: draftSchemas.read, strict: false },
    {
      type: 'function',
      name: 'mcp__docs__search',
      description: 'Searches the docs.',
      parameters: draftSchemas.search,
      strict: false,
    },
  ],
  max_output_tokens: 32_000,
  reasoning: { effort: 'medium' },
  safety_identifier: user,
  store: false,
  include: ['reasoning.encrypted_content'],
  stream: true,
});
const responsesSecond = responses(
  { type: 'reasoning', summary: [], encrypted_content: 'ENCRYPTED' },
  message('assistant', { type: 'output_text', text: look }),
  { type: 'function_call', call_id: 'call_1', name: 'Read', arguments: args.read },
  { type: 'function_call', call_id: 'call_2', name: 'mcp__docs__search', arguments: args.search },
  { type: 'function_call_output', call_id: 'call_1', output: line },
  { type: 'function_call_output', call_id: 'call_2', output: 'Error: No such page.' },
);

const google = (...turns: readonly Json[]): Json => ({
  systemInstruction: { parts: [{ text: identity }, { text: brief }] },
  contents: [
    { role: 'user', parts: [{ text: reminder }, { text: 'Hello' }] },
    { role: 'model', parts: [{ text: hello }] },
    { role: 'user', parts: [{ text: `<system>${plan}</system>` }, { text: task }] },
    ...turns,
  ],
  tools: [
    {
      functionDeclarations: [
        { name: 'Read', description: 'Reads a file.', parametersJsonSchema: draftSchemas.read },
        { name: 'mcp__docs__search', description: 'Searches the docs.', parametersJsonSchema: draftSchemas.search },
      ],
    },
  ],
  generationConfig: { maxOutputTokens: 32_000, thinkingConfig: { thinkingLevel: 'LOW' } },
});
const googleSecond = google(
  {
    role: 'model',
    parts: [
      { text: look },
      { functionCall: { id: 'call_1', name: 'Read', args: JSON.parse(args.read) as Json }, thoughtSignature: 'U0lH' },
      { functionCall: { id: 'call_2', name: 'mcp__docs__search', args: JSON.parse(args.search) as Json } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'call_1', name: 'Read', response: { output: line } } },
      { functionResponse: { id: 'call_2', name: 'mcp__docs__search', response: { error: 'No such page.' } } },
    ],
  },
);

/** The agent at Anthropic: its body is unchanged. */
const ownTurn: Json = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: '', signature: 'SIG' },
    text(look),
    { type: 'tool_use', id: 'call_1', name: 'Read', input: JSON.parse(args.read) as Json },
    { type: 'tool_use', id: 'call_2', name: 'mcp__docs__search', input: JSON.parse(args.search) as Json },
  ],
};

export const received: Readonly<Record<Wire, Received>> = {
  chat: { first: chat(), second: chatSecond },
  messages: { first: claudeRequest(opening), second: claudeRequest([...opening, ownTurn, results]) },
  responses: { first: responses(), second: responsesSecond },
  google: { first: google(), second: googleSecond },
};
