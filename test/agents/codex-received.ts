import type { Json, Wire } from '../matrix/wires.ts';
import {
  codexRequest,
  environment,
  grammar,
  opening,
  outputs,
  patch,
  permissions,
  searchSchema,
  shellSchema,
  task,
} from './codex.ts';

/**
 * The conversation that the vendor of each wire is sent: its start, the first response, and the results of the calls.
 */
interface Received {
  readonly first: Json;
  readonly second: Json;
}

const instructions = 'You are a coding agent that runs in a terminal.';
const shellDescription = 'Runs a shell command and returns its output.';
const patchDescription = 'Edits files. Write the patch itself, not JSON.';
const description = `${patchDescription}\n\n'input' must follow this lark grammar:\n${grammar}`;
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};
const listed = '{"output":"a.ts\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}';
const found = 'const is for constants';
const updated = 'Success. Updated the following files:\nM a.ts';

const text = (words: string): Json => ({ type: 'text', text: words });

/** GPT-5 accepts custom tools on chat too, but no earlier reasoning. */
const chat = (...turns: readonly Json[]): Json => ({
  model: 'gpt-5.1',
  messages: [
    { role: 'system', content: instructions },
    { role: 'system', content: permissions },
    { role: 'user', content: environment },
    { role: 'user', content: task },
    ...turns,
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'shell', description: shellDescription, parameters: shellSchema, strict: false },
    },
    {
      type: 'custom',
      custom: {
        name: 'apply_patch',
        description: patchDescription,
        format: { type: 'grammar', grammar: { syntax: 'lark', definition: grammar } },
      },
    },
    {
      type: 'function',
      function: {
        name: 'mcp__docs__search',
        description: 'Searches the docs.',
        parameters: searchSchema,
        strict: false,
      },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning_effort: 'medium',
  verbosity: 'medium',
  prompt_cache_key: '0199a213-conversation',
  store: false,
  stream: true,
  stream_options: { include_usage: true },
});
const chatSecond = chat(
  {
    role: 'assistant',
    content: 'I will look.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'shell', arguments: '{"command":["ls"]}' } },
      { id: 'call_2', type: 'function', function: { name: 'mcp__docs__search', arguments: '{"query":"const"}' } },
      { id: 'call_3', type: 'custom', custom: { name: 'apply_patch', input: patch } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: listed },
  { role: 'tool', tool_call_id: 'call_2', content: found },
  { role: 'tool', tool_call_id: 'call_3', content: updated },
);

const messages = (...turns: readonly Json[]): Json => ({
  model: 'claude-sonnet-4-6',
  system: [text(instructions), text(permissions)],
  messages: [{ role: 'user', content: [text(environment), text(task)] }, ...turns],
  max_tokens: 128_000,
  tools: [
    { name: 'shell', description: shellDescription, input_schema: shellSchema },
    { name: 'apply_patch', description, input_schema: textSchema },
    { name: 'mcp__docs__search', description: 'Searches the docs.', input_schema: searchSchema },
  ],
  tool_choice: { type: 'auto' },
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'medium' },
  stream: true,
});
const messagesSecond = messages(
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Look first.', signature: 'SIG' },
      text('I will look.'),
      { type: 'tool_use', id: 'call_1', name: 'shell', input: { command: ['ls'] } },
      { type: 'tool_use', id: 'call_2', name: 'mcp__docs__search', input: { query: 'const' } },
      { type: 'tool_use', id: 'call_3', name: 'apply_patch', input: { input: patch } },
    ],
  },
  {
    role: 'user',
    content: [listed, found, updated].map((words, index) => ({
      type: 'tool_result',
      tool_use_id: `call_${index + 1}`,
      content: [text(words)],
    })),
  },
);

const google = (...turns: readonly Json[]): Json => ({
  systemInstruction: { parts: [{ text: instructions }, { text: permissions }] },
  contents: [{ role: 'user', parts: [{ text: environment }, { text: task }] }, ...turns],
  tools: [
    {
      functionDeclarations: [
        { name: 'shell', description: shellDescription, parametersJsonSchema: shellSchema },
        { name: 'apply_patch', description, parametersJsonSchema: textSchema },
        { name: 'mcp__docs__search', description: 'Searches the docs.', parametersJsonSchema: searchSchema },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
  store: false,
});
const responseOf = (id: string, name: string, output: unknown): Json => ({
  functionResponse: { id, name, response: { output } },
});
const googleSecond = google(
  {
    role: 'model',
    parts: [
      { text: 'Look first.', thought: true },
      { text: 'I will look.' },
      { functionCall: { id: 'call_1', name: 'shell', args: { command: ['ls'] } }, thoughtSignature: 'U0lH' },
      { functionCall: { id: 'call_2', name: 'mcp__docs__search', args: { query: 'const' } } },
      { functionCall: { id: 'call_3', name: 'apply_patch', args: { input: patch } } },
    ],
  },
  {
    role: 'user',
    parts: [
      responseOf('call_1', 'shell', JSON.parse(listed)),
      responseOf('call_2', 'mcp__docs__search', found),
      responseOf('call_3', 'apply_patch', updated),
    ],
  },
);

/** The agent at OpenAI: only the model can differ, which here has the same name. */
const ownTurn: readonly Json[] = [
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }], encrypted_content: 'ENCRYPTED' },
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'I will look.', annotations: [], logprobs: [] }],
  },
  { type: 'function_call', status: 'completed', call_id: 'call_1', name: 'shell', arguments: '{"command":["ls"]}' },
  {
    type: 'function_call',
    status: 'completed',
    call_id: 'call_2',
    name: 'search',
    namespace: 'mcp__docs',
    arguments: '{"query":"const"}',
  },
  { type: 'custom_tool_call', status: 'completed', call_id: 'call_3', name: 'apply_patch', input: patch },
];

export const received: Readonly<Record<Wire, Received>> = {
  chat: { first: chat(), second: chatSecond },
  messages: { first: messages(), second: messagesSecond },
  responses: { first: codexRequest(opening), second: codexRequest([...opening, ...ownTurn, ...outputs]) },
  google: { first: google(), second: googleSecond },
};
