import type { Json } from '../matrix/wires.ts';

/** The built-in model names. */
export const codexModels = ['gpt-5-codex'] as const;

/** The agent's own headers, beside the key. */
export const codexHeaders = {
  'originator': 'codex_cli_rs',
  'session_id': '0199a213-conversation',
  'user-agent': 'codex_cli_rs/0.55.0 (Debian 13; x86_64)',
} as const;

export const grammar = 'start: begin_patch hunk+ end_patch';
export const patch = '*** Begin Patch\n*** Update File: a.ts\n-let a;\n+const a = 1;\n*** End Patch';

const command = { type: 'array', items: { type: 'string' }, description: 'The command and its arguments' };
export const shellSchema = {
  type: 'object',
  properties: { command, workdir: { type: 'string' }, timeout_ms: { type: 'number' } },
  required: ['command'],
  additionalProperties: false,
};
export const searchSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };

/** A function, a custom tool with a grammar, and the functions of an MCP server in their namespace. */
export const codexTools: readonly Json[] = [
  {
    type: 'function',
    name: 'shell',
    description: 'Runs a shell command and returns its output.',
    strict: false,
    parameters: shellSchema,
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files. Write the patch itself, not JSON.',
    format: { type: 'grammar', syntax: 'lark', definition: grammar },
  },
  {
    type: 'namespace',
    name: 'mcp__docs',
    description: 'Tools of the MCP server docs.',
    tools: [
      { type: 'function', name: 'search', description: 'Searches the docs.', strict: false, parameters: searchSchema },
    ],
  },
];

/** A tool that runs at OpenAI, and tools that the client executes and OpenAI's models know by their types. */
export const builtInTools: readonly Json[] = [
  { type: 'web_search', external_web_access: false },
  { type: 'local_shell' },
  {
    type: 'tool_search',
    execution: 'client',
    description: 'Finds tools by words.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
];

export const permissions = '<permissions instructions>read-only</permissions instructions>';
export const environment = '<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>';
export const task = 'Make a a constant.';

const message = (role: string, text: string): Json => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
/** The start of a session. */
export const opening: readonly Json[] = [
  message('developer', permissions),
  message('user', environment),
  message('user', task),
];

/** The results of the calls of the first turn. */
export const outputs: readonly Json[] = [
  {
    type: 'function_call_output',
    call_id: 'call_1',
    output: '{"output":"a.ts\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
  },
  { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'const is for constants' }] },
  { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Success. Updated the following files:\nM a.ts' },
];

const lookup: Json = {
  type: 'function',
  name: 'lookup',
  description: 'Looks up an order.',
  strict: false,
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};
/** A call of it has a namespace with the function's name. */
const lookedUp: readonly Json[] = [
  { type: 'function_call', call_id: 'call_2', name: 'lookup', namespace: 'lookup', arguments: '{"id":"1"}' },
  { type: 'function_call_output', call_id: 'call_2', output: 'shipped' },
];
/** A tool that the client adds during the conversation. */
export const addedTool: readonly Json[] = [
  message('user', task),
  { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{"command":["ls"]}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'a.ts' },
  { type: 'additional_tools', role: 'developer', tools: [lookup] },
  ...lookedUp,
];
/** The same tool, found by a search in an earlier turn. */
export const foundTool: readonly Json[] = [
  message('user', task),
  {
    type: 'tool_search_call',
    call_id: 'call_1',
    execution: 'client',
    status: 'completed',
    arguments: { query: 'orders' },
  },
  {
    type: 'tool_search_output',
    call_id: 'call_1',
    execution: 'client',
    status: 'completed',
    tools: [{ ...lookup, defer_loading: true }],
  },
  ...lookedUp,
];

const agentMessage = (author: string, recipient: string, ...content: readonly Json[]): Json => ({
  type: 'agent_message',
  id: 'amsg_1',
  author,
  recipient,
  content,
});
/** What a subagent is sent: its task, which the vendor may have encrypted, after the conversation of its parent. */
export const subagentTask = (payload: string): readonly Json[] => [
  message('user', task),
  agentMessage(
    '/root',
    '/root/child',
    { type: 'input_text', text: 'Message Type: NEW_TASK\nPayload:\n' },
    { type: 'encrypted_content', encrypted_content: payload },
  ),
];
/** What its parent is sent when it has ended. */
export const subagentResult = (text: string): readonly Json[] => [
  message('user', task),
  agentMessage('/root/child', '/root', { type: 'input_text', text: `Message Type: FINAL_ANSWER\nPayload:\n${text}` }),
];

/** A request of a coding agent of the Codex kind, as of 2026: https://github.com/openai/codex */
export const codexRequest = (input: readonly Json[], tools: readonly Json[] = codexTools): Json => ({
  model: 'gpt-5-codex',
  instructions: 'You are a coding agent that runs in a terminal.',
  input,
  tools,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0199a213-conversation',
  text: { verbosity: 'medium' },
  client_metadata: { 'x-codex-installation-id': '5c9d' },
});

/** The agent sends finished items back without their ids, which only a vendor that stored them can resolve. */
export const sendBack = (items: readonly Json[]): readonly Json[] => items.map(({ id: _id, ...item }) => item);
