import type { VendorAnswers } from '../matrix/vendors/vendors.ts';

const read = { file_path: '/repo/a.ts' };
const query = { query: 'const' };

/** The first response of each vendor: hidden reasoning, text and two tool calls. */
export const firstAnswers: VendorAnswers = {
  chat: {
    message: {
      content: 'I will look.',
      tool_calls: [
        { id: 'call_1', name: 'Read', arguments: JSON.stringify(read) },
        { id: 'call_2', name: 'mcp__docs__search', arguments: JSON.stringify(query) },
      ],
    },
    finish: 'tool_calls',
  },
  messages: {
    content: [
      { type: 'thinking', thinking: '', signature: 'SIG' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'call_1', name: 'Read', input: read },
      { type: 'tool_use', id: 'call_2', name: 'mcp__docs__search', input: query },
    ],
    finish: 'tool_use',
  },
  responses: {
    output: [
      { type: 'reasoning', summary: [], encrypted_content: 'ENCRYPTED' },
      { type: 'message', content: [{ type: 'output_text', text: 'I will look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'Read', arguments: JSON.stringify(read) },
      { type: 'function_call', call_id: 'call_2', name: 'mcp__docs__search', arguments: JSON.stringify(query) },
    ],
  },
  google: {
    parts: [
      { text: 'I will look.' },
      { functionCall: { id: 'call_1', name: 'Read', args: read }, thoughtSignature: 'U0lH' },
      { functionCall: { id: 'call_2', name: 'mcp__docs__search', args: query } },
    ],
    finish: 'STOP',
  },
};
