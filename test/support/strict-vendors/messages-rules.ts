import { bounds, hasOpenObject, keywordRules, relations, schemaWith } from './schema-words.ts';
import { isProof } from './written.ts';
import { findWithin, jsonOf, listOf, rule, type Json, type Rule } from './rule.ts';

const messagesPage = 'https://platform.claude.com/docs/en/api/messages';
const formats = 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations';
const thinkingPage = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking';
const at = 'anthropic';

const turnsOf = ({ messages }: Json): readonly Json[] => listOf(messages);
const blocksOf = (turn: Json | undefined): readonly Json[] => listOf(turn?.['content']);
const ofType = (turn: Json | undefined, type: string): readonly Json[] =>
  blocksOf(turn).filter((block) => block['type'] === type);
const strictSchemas = (body: Json): readonly unknown[] => [
  jsonOf(jsonOf(body['output_config'])['format'])['schema'],
  ...listOf(body['tools'])
    .filter(({ strict }) => strict === true)
    .map(({ input_schema: schema }) => schema),
];
const thinks = ({ thinking }: Json): boolean => ['enabled', 'adaptive'].includes(String(jsonOf(thinking)['type']));
const toolUse = (id: string): Json => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'a', input: {} }],
});
const withFormat = (schema: Json): Json => ({
  max_tokens: 1,
  output_config: { format: { type: 'json_schema', schema } },
});
const lacksResult = (body: Json): boolean =>
  turnsOf(body).some((turn, index, turns) => {
    const results = new Set(ofType(turns[index + 1], 'tool_result').map((block) => block['tool_use_id']));
    return ofType(turn, 'tool_use').some(({ id }) => !results.has(id));
  });

/** The last turn of the assistant begins with its thought, if it has calls. */
const lacksThought = (turns: readonly Json[]): boolean => {
  const last = turns.findLast(({ role }) => role === 'assistant');
  const first = String(blocksOf(last)[0]?.['type']);
  return ofType(last, 'tool_use').length > 0 && !/^(?:redacted_)?thinking$/.test(first);
};

export const messagesRules: readonly Rule[] = [
  rule({ at, page: messagesPage }, 'max_tokens: field required', ({ max_tokens: cap }) => cap === undefined, {}),
  rule(
    { at, page: messagesPage },
    'tool_use.id must match ^[a-zA-Z0-9_-]+$',
    (body) => turnsOf(body).some((turn) => ofType(turn, 'tool_use').some(({ id }) => !/^[\w-]+$/.test(String(id)))),
    { max_tokens: 1, messages: [toolUse('functions.list:0')] },
  ),
  rule(
    { at, page: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use' },
    'tool_use without tool_result in the next message',
    lacksResult,
    { max_tokens: 1, messages: [toolUse('a')] },
  ),
  rule(
    { at, page: messagesPage },
    'text content blocks must be non-empty',
    ({ messages }) => findWithin(messages, (block) => block['type'] === 'text' && String(block['text']).trim() === ''),
    { max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] },
  ),
  ...keywordRules({ at, page: formats }, { find: strictSchemas, write: withFormat }, [...bounds, ...relations]),
  rule(
    { at, page: formats },
    'additionalProperties must be false',
    (body) => strictSchemas(body).some(hasOpenObject),
    withFormat({ type: 'object' }),
  ),
  rule(
    { at, page: formats },
    'minItems must be 0 or 1',
    (body) => strictSchemas(body).some((schema) => findWithin(schema, ({ minItems }) => Number(minItems ?? 0) > 1)),
    withFormat(schemaWith({ minItems: 2 })),
  ),
  rule(
    { at, page: messagesPage },
    'format.name: extra inputs are not permitted',
    (body) => jsonOf(jsonOf(body['output_config'])['format'])['name'] !== undefined,
    { max_tokens: 1, output_config: { format: { name: 'a' } } },
  ),
  rule(
    { at, page: 'https://github.com/anthropics/claude-code/issues/5319' },
    'input_schema does not support oneOf, allOf, or anyOf at the top level',
    ({ tools }) =>
      listOf(tools).some((tool) => ['oneOf', 'allOf', 'anyOf'].some((name) => name in jsonOf(tool['input_schema']))),
    { max_tokens: 1, tools: [{ input_schema: { type: 'object', anyOf: [] } }] },
  ),
  rule(
    { at, page: messagesPage },
    'input_schema.type: field required',
    ({ tools }) =>
      listOf(tools).some((tool) => 'input_schema' in tool && jsonOf(tool['input_schema'])['type'] !== 'object'),
    { max_tokens: 1, tools: [{ input_schema: {} }] },
  ),
  rule(
    { at, page: thinkingPage },
    'budget_tokens must be at least 1024 and less than max_tokens',
    ({ thinking, max_tokens: cap }) => {
      const { budget_tokens: budget } = jsonOf(thinking);
      return budget !== undefined && (Number(budget) < 1_024 || Number(budget) >= Number(cap));
    },
    { max_tokens: 1, thinking: { type: 'enabled', budget_tokens: 10 } },
  ),
  rule(
    { at, page: thinkingPage },
    'thinking excludes a forced tool',
    (body) => thinks(body) && ['any', 'tool'].includes(String(jsonOf(body['tool_choice'])['type'])),
    { max_tokens: 1, thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } },
  ),
  rule(
    { at, page: thinkingPage },
    'temperature must be 1 with thinking',
    (body) => thinks(body) && body['temperature'] !== undefined && body['temperature'] !== 1,
    { max_tokens: 1, thinking: { type: 'adaptive' }, temperature: 0 },
  ),
  rule(
    { at, page: thinkingPage },
    'thinking blocks need a signature',
    ({ messages }) => findWithin(messages, ({ type, signature }) => type === 'thinking' && signature === undefined),
    { max_tokens: 1, messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'a' }] }] },
  ),
  rule(
    { at, page: `${thinkingPage}#preserving-thinking-blocks` },
    'Invalid signature in thinking block',
    ({ messages }) => findWithin(messages, ({ type, signature }) => type === 'thinking' && !isProof(String(signature))),
    {
      max_tokens: 1,
      messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'a' }] }],
    },
  ),
  rule(
    { at, page: `${thinkingPage}#preserving-thinking-blocks` },
    'Expected thinking or redacted_thinking, but found tool_use',
    (body) => jsonOf(body['thinking'])['type'] === 'enabled' && lacksThought(turnsOf(body)),
    {
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      messages: [toolUse('a'), { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }],
    },
  ),
  rule(
    { at, page: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching' },
    'at most 4 blocks with cache_control',
    (body) => (JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0) > 4,
    { max_tokens: 1, system: Array.from({ length: 5 }, () => ({ cache_control: {} })) },
  ),
];
