import type { Json, Wire } from '../matrix/wires.ts';
import {
  context,
  geminiRequest,
  gotIt,
  instruction,
  opening,
  readArguments,
  readSchema,
  shellCommand,
  shellSchema,
  task,
} from './gemini-cli.ts';
import { callIds } from './gemini-cli-vendors.ts';

interface Received {
  readonly first: Json;
  readonly second: Json;
}

const look = 'I will look.';
const missing = 'File not found.';
/** As the agent sends them back. */
const [shellId, readId] = [`run_shell_command__${callIds[0]}`, `read_file__${callIds[1]}`];
/** 48 characters; OpenAI accepts 40 on chat. */
const shortId = 'call_0da4786af260a31eab0b6dcd94540998';
const text = (words: string): Json => ({ type: 'text', text: words });
const asInput = (words: string): Json => ({ type: 'input_text', text: words });
const args = { shell: JSON.stringify(shellCommand), read: JSON.stringify(readArguments) };

const chat = (...turns: readonly Json[]): Json => ({
  model: 'gpt-5.1',
  messages: [
    { role: 'system', content: instruction },
    { role: 'user', content: context },
    { role: 'assistant', content: gotIt },
    { role: 'user', content: task },
    ...turns,
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'run_shell_command', description: 'Runs a command.', parameters: shellSchema },
    },
    { type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: readSchema } },
  ],
  reasoning_effort: 'high',
  stream: true,
  stream_options: { include_usage: true },
});
const chatSecond = chat(
  {
    role: 'assistant',
    content: look,
    tool_calls: [
      { id: shortId, type: 'function', function: { name: 'run_shell_command', arguments: args.shell } },
      { id: readId, type: 'function', function: { name: 'read_file', arguments: args.read } },
    ],
  },
  { role: 'tool', tool_call_id: shortId, name: 'run_shell_command', content: 'a.ts' },
  { role: 'tool', tool_call_id: readId, name: 'read_file', content: `Error: ${missing}` },
);

const messages = (...turns: readonly Json[]): Json => ({
  model: 'claude-sonnet-4-6',
  system: [text(instruction)],
  messages: [
    { role: 'user', content: [text(context)] },
    { role: 'assistant', content: [text(gotIt)] },
    { role: 'user', content: [text(task)] },
    ...turns,
  ],
  max_tokens: 128_000,
  temperature: 1,
  tools: [
    { name: 'run_shell_command', description: 'Runs a command.', input_schema: shellSchema },
    { name: 'read_file', description: 'Reads a file.', input_schema: readSchema },
  ],
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'high' },
  stream: true,
});
/** The agent leaves out thoughts, and sends back the signature of the first call, which carries them. */
const messagesSecond = messages(
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Look first.', signature: 'SIG' },
      text(look),
      { type: 'tool_use', id: shellId, name: 'run_shell_command', input: shellCommand },
      { type: 'tool_use', id: readId, name: 'read_file', input: readArguments },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: shellId, content: [text('a.ts')] },
      { type: 'tool_result', tool_use_id: readId, content: [text(missing)], is_error: true },
    ],
  },
);

const message = (role: string, content: Json): Json => ({ type: 'message', role, content: [content] });
const responses = (...items: readonly Json[]): Json => ({
  model: 'gpt-5-codex',
  instructions: instruction,
  input: [
    message('user', asInput(context)),
    message('assistant', { type: 'output_text', text: gotIt }),
    message('user', asInput(task)),
    ...items,
  ],
  tools: [
    {
      type: 'function',
      name: 'run_shell_command',
      description: 'Runs a command.',
      parameters: shellSchema,
      strict: false,
    },
    { type: 'function', name: 'read_file', description: 'Reads a file.', parameters: readSchema, strict: false },
  ],
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  stream: true,
});
const responsesSecond = responses(
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }], encrypted_content: 'ENCRYPTED' },
  message('assistant', { type: 'output_text', text: look }),
  { type: 'function_call', call_id: shellId, name: 'run_shell_command', arguments: args.shell },
  { type: 'function_call', call_id: readId, name: 'read_file', arguments: args.read },
  { type: 'function_call_output', call_id: shellId, output: 'a.ts' },
  { type: 'function_call_output', call_id: readId, output: `Error: ${missing}` },
);

/** At Google its contents are unchanged: one per chunk, an empty text at the end, and result ids that no call has. */
const google = (...contents: readonly Json[]): Json => {
  const { model: _model, ...body } = geminiRequest([...opening, ...contents]);
  return body;
};
const said = (part: Json): Json => ({ role: 'model', parts: [part] });
const googleSecond = google(
  said({ text: 'I will' }),
  said({ text: ' look.' }),
  said({ functionCall: { name: 'run_shell_command', args: shellCommand }, thoughtSignature: 'U0lH' }),
  said({ functionCall: { name: 'read_file', args: readArguments } }),
  said({ text: '' }),
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'synth_0', name: 'run_shell_command', response: { output: 'a.ts' } } },
      { functionResponse: { id: 'synth_1', name: 'read_file', response: { error: missing } } },
    ],
  },
);

export const received: Readonly<Record<Wire, Received>> = {
  chat: { first: chat(), second: chatSecond },
  messages: { first: messages(), second: messagesSecond },
  responses: { first: responses(), second: responsesSecond },
  google: { first: google(), second: googleSecond },
};
