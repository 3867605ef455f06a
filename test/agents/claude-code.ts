import type { Json } from '../matrix/wires.ts';

/** The built-in model names: the model of the conversation, and a small one for background work. */
export const claudeModels = ['claude-sonnet-4-6', 'claude-haiku-4-5-20251001'] as const;
const [model] = claudeModels;

export const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'effort-2025-11-24',
] as const;
/** The agent's own headers, beside key and version. */
export const claudeHeaders = {
  'anthropic-beta': betas.join(','),
  'x-app': 'cli',
  'user-agent': 'claude-cli/2.1.233 (external, cli)',
} as const;

/** Longer than OpenAI accepts. */
export const userId = JSON.stringify({
  device_id: 'ad3f17b6'.repeat(8),
  account_uuid: '',
  session_id: 'eba7676d-4c5a-4e8a-8f82-9fc2c50cf6e1',
});

const text = (words: string, more: Json = {}): Json => ({ type: 'text', text: words, ...more });
const mark = { cache_control: { type: 'ephemeral' } } as const;

export const attribution = 'x-anthropic-billing-header: cc_version=2.1.233.ba2; cc_entrypoint=cli; cch=1a2b3;';
export const identity = 'You are an agent that works in a terminal.';
export const reminder = '<system-reminder>\nThe date is 2026-11-21.\n</system-reminder>';
export const plan = 'Plan mode is off again: you may edit files.';
export const task = 'What does a.ts say?';

const readSchema = {
  type: 'object',
  properties: { file_path: { type: 'string', description: 'Absolute path' }, limit: { type: 'number' } },
  required: ['file_path'],
  additionalProperties: false,
};
const searchSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
const draft = 'http://json-schema.org/draft-07/schema#';

/** The tools, whose schemas name their draft. */
export const draftSchemas = {
  read: { ...readSchema, $schema: draft },
  search: { ...searchSchema, $schema: draft },
} as const;
export const claudeTools: readonly Json[] = [
  { name: 'Read', description: 'Reads a file.', input_schema: draftSchemas.read, eager_input_streaming: true },
  { name: 'mcp__docs__search', description: 'Searches the docs.', input_schema: draftSchemas.search, ...mark },
];
/** Runs at Anthropic. */
export const webSearch: Json = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };

/** The session when the user asks, with a system message between the turns. */
export const opening: readonly Json[] = [
  { role: 'user', content: [text(reminder), text('Hello')] },
  { role: 'assistant', content: [text('Hello! What shall we do?')] },
  { role: 'system', content: plan },
  { role: 'user', content: [text(task, mark)] },
];
/** The results of the calls. */
export const results: Json = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'call_1', content: '1\tconst a = 1;' },
    { type: 'tool_result', tool_use_id: 'call_2', content: [text('No such page.')], is_error: true, ...mark },
  ],
};

/** A request of a coding agent of the Claude Code kind, as of 2026: https://code.claude.com/docs/en/llm-gateway */
export const claudeRequest = (messages: readonly Json[], more: Json = {}): Json => ({
  model,
  messages,
  system: [text(attribution), text(identity, mark), text('Use the tools. Be brief.', mark)],
  tools: claudeTools,
  metadata: { user_id: userId },
  max_tokens: 32_000,
  thinking: { type: 'adaptive', display: 'omitted' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'medium' },
  stream: true,
  ...more,
});
