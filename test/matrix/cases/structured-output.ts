import { stopped, type MatrixCase } from '../matrix-case.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const named = { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } };
const answered = '{"city":"Paris"}';
const asked = [{ role: 'user', content: 'Where?' }];
const askedBlocks = [{ role: 'user', content: [{ type: 'text', text: 'Where?' }] }];

export const jsonSchema: MatrixCase = {
  name: 'structured output',
  request: {
    chat: { max_completion_tokens: 100, messages: asked, response_format: named },
    messages: { max_tokens: 100, messages: asked, output_config: { format: { type: 'json_schema', schema } } },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: asked, response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } },
    messages: { max_tokens: 100, messages: askedBlocks, output_config: { format: { type: 'json_schema', schema } } },
  },
  vendor: {
    chat: { message: { content: answered }, finish: 'stop' },
    messages: { content: [{ type: 'text', text: answered }], finish: 'end_turn' },
  },
  expected: { text: answered, finish: stopped },
};

/** mission.md gives a format a name; the vendor of messages refuses one, the vendor of chat wants one. */
export const namedFormat: MatrixCase = {
  name: 'structured output with the name that mission.md gives it',
  request: {
    chat: { max_completion_tokens: 100, messages: asked, response_format: named },
    messages: { max_tokens: 100, messages: asked, output_config: { format: { type: 'json_schema', name: 'place', schema } } },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: asked, response_format: { type: 'json_schema', json_schema: { name: 'place', schema } } },
    messages: { max_tokens: 100, messages: askedBlocks, output_config: { format: { type: 'json_schema', schema } } },
    native: { messages: { max_tokens: 100, messages: asked, output_config: { format: { type: 'json_schema', schema } } } },
  },
  vendor: {
    chat: { message: { content: answered }, finish: 'stop' },
    messages: { content: [{ type: 'text', text: answered }], finish: 'end_turn' },
  },
  expected: { text: answered, finish: stopped },
};

/** Claude 4 has no schema output: a hidden tool takes its place, and the client never sees it. */
export const hiddenTool: MatrixCase = {
  name: 'structured output of a model that has none',
  models: { chat: 'gpt-4.1', messages: 'claude-sonnet-4' },
  request: {
    chat: { max_completion_tokens: 100, messages: asked, response_format: named },
    messages: { max_tokens: 100, messages: asked },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: asked },
    messages: {
      max_tokens: 100,
      messages: askedBlocks,
      tools: [{ name: 'json', description: 'Gives the final answer. Its arguments are the answer.', input_schema: schema, strict: true }],
      tool_choice: { type: 'tool', name: 'json', disable_parallel_tool_use: true },
    },
  },
  vendor: {
    chat: { message: { content: answered }, finish: 'stop' },
    messages: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: { city: 'Paris' } }], finish: 'tool_use' },
  },
  losses: { chat: ['response_format;approximated'] },
  expected: { text: answered, finish: stopped },
  but: { 'messages>messages': { text: '', calls: [{ id: 'toolu_1', name: 'json', input: { city: 'Paris' } }], finish: { chat: 'tool_calls', messages: 'tool_use' } } },
};
