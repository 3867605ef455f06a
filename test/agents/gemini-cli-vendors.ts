import type { VendorAnswers } from '../matrix/vendors/vendors.ts';
import { readArguments, shellCommand } from './gemini-cli.ts';

const thought = 'Look first.';
/** As long as OpenAI's ids. With the name of a function in front, it is longer than OpenAI accepts. */
export const callIds = ['call_0123456789abcdefghijABCD', 'call_9876543210abcdefghijABCD'] as const;
const [first, second] = callIds;

/** The first response of each vendor. Google's calls have no ids. */
export const firstAnswers: VendorAnswers = {
  chat: {
    message: {
      content: 'I will look.',
      tool_calls: [
        { id: first, name: 'run_shell_command', arguments: JSON.stringify(shellCommand) },
        { id: second, name: 'read_file', arguments: JSON.stringify(readArguments) },
      ],
    },
    finish: 'tool_calls',
  },
  messages: {
    content: [
      { type: 'thinking', thinking: thought, signature: 'SIG' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: first, name: 'run_shell_command', input: shellCommand },
      { type: 'tool_use', id: second, name: 'read_file', input: readArguments },
    ],
    finish: 'tool_use',
  },
  responses: {
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: thought }], encrypted_content: 'ENCRYPTED' },
      { type: 'message', content: [{ type: 'output_text', text: 'I will look.' }] },
      { type: 'function_call', call_id: first, name: 'run_shell_command', arguments: JSON.stringify(shellCommand) },
      { type: 'function_call', call_id: second, name: 'read_file', arguments: JSON.stringify(readArguments) },
    ],
  },
  google: {
    parts: [
      { text: thought, thought: true },
      { text: 'I will look.' },
      { functionCall: { name: 'run_shell_command', args: shellCommand }, thoughtSignature: 'U0lH' },
      { functionCall: { name: 'read_file', args: readArguments } },
    ],
    finish: 'STOP',
  },
};
