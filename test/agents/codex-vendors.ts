import type { VendorAnswers } from '../matrix/vendors/vendors.ts';
import { responsesFrame, responsesUsage } from '../matrix/vendors/vendor-responses.ts';
import { someTokens, type Json } from '../matrix/wires.ts';
import { patch } from './codex.ts';

const thought = 'Look first.';
const shell = { command: ['ls'] };
const query = { query: 'const' };

/** The first response of each vendor: reasoning, text and calls of all three tools. That of responses is below. */
export const firstAnswers: VendorAnswers = {
  chat: {
    message: { content: 'I will look.' },
    deltas: [
      { role: 'assistant', content: '' },
      { content: 'I will look.' },
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'shell', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: JSON.stringify(shell) } }] },
      {
        tool_calls: [
          {
            index: 1,
            id: 'call_2',
            type: 'function',
            function: { name: 'mcp__docs__search', arguments: JSON.stringify(query) },
          },
        ],
      },
      { tool_calls: [{ index: 2, id: 'call_3', type: 'custom', custom: { name: 'apply_patch', input: '' } }] },
      { tool_calls: [{ index: 2, custom: { input: patch.slice(0, 9) } }] },
      { tool_calls: [{ index: 2, custom: { input: patch.slice(9) } }] },
    ],
    finish: 'tool_calls',
  },
  messages: {
    content: [
      { type: 'thinking', thinking: thought, signature: 'SIG' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'call_1', name: 'shell', input: shell },
      { type: 'tool_use', id: 'call_2', name: 'mcp__docs__search', input: query },
      { type: 'tool_use', id: 'call_3', name: 'apply_patch', input: { input: patch } },
    ],
    finish: 'tool_use',
  },
  responses: { output: [] },
  google: {
    parts: [
      { text: thought, thought: true },
      { text: 'I will look.' },
      { functionCall: { id: 'call_1', name: 'shell', args: shell }, thoughtSignature: 'U0lH' },
      { functionCall: { id: 'call_2', name: 'mcp__docs__search', args: query } },
      { functionCall: { id: 'call_3', name: 'apply_patch', args: { input: patch } } },
    ],
    finish: 'STOP',
  },
};

/** What OpenAI sends to the agent. */
export const ownItems: readonly (Json & { readonly id: string })[] = [
  { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: thought }], encrypted_content: 'ENCRYPTED' },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'I will look.', annotations: [], logprobs: [] }],
  },
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'shell',
    arguments: JSON.stringify(shell),
  },
  {
    id: 'fc_2',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_2',
    name: 'search',
    namespace: 'mcp__docs',
    arguments: JSON.stringify(query),
  },
  { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_3', name: 'apply_patch', input: patch },
];

const empty: Readonly<Record<string, Json>> = {
  reasoning: { summary: [] },
  message: { content: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
};

/** The items as a stream: such an agent reads each from the event that finishes it. */
export const streamItems = (items: readonly (Json & { readonly id: string })[]): string => {
  const head = {
    id: 'resp_vendor',
    object: 'response',
    created_at: 1_763_000_000,
    model: 'vendor-responses',
    tools: [],
    instructions: null,
    error: null,
    incomplete_details: null,
  };
  const begun = { ...head, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: { ...item, ...empty[String(item['type'])] } },
      ...(item['type'] === 'custom_tool_call'
        ? [
            {
              type: 'response.custom_tool_call_input.delta',
              item_id: item.id,
              output_index: index,
              delta: item['input'],
            },
          ]
        : []),
      ...(item['type'] === 'custom_tool_call'
        ? [
            {
              type: 'response.custom_tool_call_input.done',
              item_id: item.id,
              output_index: index,
              input: item['input'],
            },
          ]
        : []),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    {
      type: 'response.completed',
      response: {
        ...head,
        status: 'completed',
        output: items,
        usage: responsesUsage({ ...someTokens, output: 90, reasoning: 60 }),
      },
    },
  ];
  return events.map(responsesFrame).join('');
};
