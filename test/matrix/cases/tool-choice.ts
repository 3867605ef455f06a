import type { MatrixCase } from '../matrix-case.ts';
import { requestBodies, receivedBodies } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';

const names = ['a', 'b', 'c'] as const;
const schema = { type: 'object', properties: { n: { type: 'integer' } } };
const declare = {
  chat: (name: string): Json => ({ type: 'function', function: { name, parameters: schema } }),
  messages: (name: string): Json => ({ name, input_schema: schema }),
  responses:
    (strict: false | null) =>
    (name: string): Json => ({ type: 'function', name, parameters: schema, strict }),
  google: (name: string): Json => ({ name, parametersJsonSchema: schema }),
};
const calls = (name: string): MatrixCase['vendor'] => ({
  chat: { message: { tool_calls: [{ id: 'call_1', name, arguments: '{"n":1}' }] }, finish: 'tool_calls' },
  messages: { content: [{ type: 'tool_use', id: 'call_1', name, input: { n: 1 } }], finish: 'tool_use' },
  responses: { output: [{ type: 'function_call', call_id: 'call_1', name, arguments: '{"n":1}' }] },
  google: { parts: [{ functionCall: { id: 'call_1', name, args: { n: 1 } } }], finish: 'STOP' },
});

const allowed = (mode: string, only: readonly string[]) => ({
  chat: {
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode, tools: only.map((name) => ({ type: 'function', function: { name } })) },
    },
  },
  responses: { tool_choice: { type: 'allowed_tools', mode, tools: only.map((name) => ({ type: 'function', name })) } },
});
const any = { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b'] } } };

/** Messages has no such choice: only the allowed tools are declared. */
export const someTools: MatrixCase = {
  name: 'a forced choice among some tools (E22)',
  request: requestBodies('Go', {
    chat: { tools: names.map(declare.chat), ...allowed('required', ['a', 'b']).chat },
    messages: { tools: ['a', 'b'].map(declare.messages), tool_choice: { type: 'any' } },
    responses: { tools: names.map(declare.responses(null)), ...allowed('required', ['a', 'b']).responses },
    google: { tools: [{ functionDeclarations: names.map(declare.google) }], ...any },
  }),
  received: receivedBodies('Go', {
    chat: { tools: names.map(declare.chat), ...allowed('required', ['a', 'b']).chat },
    messages: { tools: ['a', 'b'].map(declare.messages), tool_choice: { type: 'any' } },
    responses: { tools: names.map(declare.responses(false)), ...allowed('required', ['a', 'b']).responses },
    google: { tools: [{ functionDeclarations: names.map(declare.google) }], ...any },
  }),
  vendor: calls('b'),
  losses: {
    'chat>messages': ['tool_choice;approximated'],
    'responses>messages': ['tool_choice;approximated'],
    'google>messages': ['toolConfig.functionCallingConfig;approximated'],
  },
  but: {
    'messages>chat': { received: { tools: ['a', 'b'].map(declare.chat), tool_choice: 'required' } },
    'messages>responses': { received: { tools: ['a', 'b'].map(declare.responses(false)), tool_choice: 'required' } },
    'messages>google': {
      received: {
        tools: [{ functionDeclarations: ['a', 'b'].map(declare.google) }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      },
    },
  },
  expected: { calls: [{ id: 'call_1', name: 'b', input: { n: 1 } }], finish: 'tool_calls' },
};

const none = {
  chat: { tools: [declare.chat('a')], tool_choice: 'none' },
  messages: { tools: [declare.messages('a')], tool_choice: { type: 'none' } },
  google: {
    tools: [{ functionDeclarations: [declare.google('a')] }],
    toolConfig: { functionCallingConfig: { mode: 'NONE' } },
  },
};

export const noTool: MatrixCase = {
  name: 'tools that the model must not call',
  request: requestBodies('Go', { ...none, responses: { tools: [declare.responses(null)('a')], tool_choice: 'none' } }),
  received: receivedBodies('Go', {
    ...none,
    responses: { tools: [declare.responses(false)('a')], tool_choice: 'none' },
  }),
  vendor: {
    chat: { message: { content: 'No.' }, finish: 'stop' },
    messages: { content: [{ type: 'text', text: 'No.' }], finish: 'end_turn' },
    responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'No.' }] }] },
    google: { parts: [{ text: 'No.' }], finish: 'STOP' },
  },
  expected: { text: 'No.', finish: 'stop' },
};

const odd = 'files.read:v2';
const legal = 'files_read_v2';
const oddTools = {
  chat: { tools: [declare.chat(legal)], tool_choice: { type: 'function', function: { name: legal } } },
  messages: { tools: [declare.messages(legal)], tool_choice: { type: 'tool', name: legal } },
  responses: { tools: [declare.responses(false)(legal)], tool_choice: { type: 'function', name: legal } },
  google: {
    tools: [{ functionDeclarations: [declare.google(legal)] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [legal] } },
  },
};
const oddRequest = {
  tools: [{ functionDeclarations: [declare.google(odd)] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [odd] } },
};
const renamed = { calls: [{ id: 'call_1', name: odd, input: { n: 1 } }] };

/**
 * Only Google accepts dots and colons in a name. Other vendors get a replacement, and the client gets its own name
 * back.
 */
export const oddName: MatrixCase = {
  name: 'a tool name that the vendor rejects (E23)',
  request: requestBodies('Go', {
    ...oddTools,
    responses: { ...oddTools.responses, tools: [declare.responses(null)(legal)] },
    google: oddRequest,
  }),
  received: receivedBodies('Go', oddTools),
  vendor: calls(legal),
  but: { 'google>chat': renamed, 'google>messages': renamed, 'google>responses': renamed },
  expected: { calls: [{ id: 'call_1', name: legal, input: { n: 1 } }], finish: 'tool_calls' },
};
