import type { Json } from '../../../matrix/wires.ts';
import { proofs } from '../answers.ts';
import { listOf } from '../conversation.ts';
import { findUnknown, membersOf } from './sdk-members.ts';

const known = new Set([
  ...membersOf('openai/resources/responses/responses.d.ts', 'ResponseCreateParamsBase'),
  // Of Codex: not in the SDK, and accepted by OpenAI.
  'client_metadata',
]);
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const parts = new Set(['input_text', 'output_text', 'input_image', 'input_file', 'input_audio', 'refusal']);

const findItemFault = (item: Json): string | undefined => {
  const { type = 'message', role, content, encrypted_content: proof } = item;
  if (type === 'reasoning') return proof === proofs.responses ? undefined : 'the encrypted content is not valid';
  if (type !== 'message') return undefined;
  const word = listOf(content).find((part) => !parts.has(String(part['type'])));
  if (word !== undefined) return `unknown type of content: ${String(word['type'])}`;
  const wanted = role === 'assistant' ? /^(output_text|refusal)$/ : /^input_/;
  const wrong = listOf(content).find((part) => !wanted.test(String(part['type'])));
  return wrong === undefined ? undefined : `${String(wrong['type'])} in a message of ${String(role)}`;
};

/** Each call has a result, and each result a call before it. */
const findPairFault = (items: readonly Json[]): string | undefined => {
  const open = new Set<unknown>();
  for (const { type, call_id: id } of items) {
    if (type === 'function_call' || type === 'custom_tool_call') open.add(id);
    if ((type === 'function_call_output' || type === 'custom_tool_call_output') && !open.delete(id))
      return `no call before the output ${String(id)}`;
  }
  return open.size > 0 ? `no output for the calls ${[...open].join()}` : undefined;
};

const findToolFault = ({ type, name }: Json): string | undefined =>
  type !== 'function' || NAME.test(String(name)) ? undefined : `invalid name of a function: ${String(name)}`;

/** Why OpenAI would refuse a responses request. */
export const findResponsesFault = (body: Json): string | undefined => {
  const unknown = findUnknown(body, known);
  if (unknown !== undefined) return `unknown parameter: ${unknown}`;
  const items = listOf(body['input']);
  return (
    items.map(findItemFault).find((fault) => fault !== undefined) ??
    listOf(body['tools'])
      .map(findToolFault)
      .find((fault) => fault !== undefined) ??
    findPairFault(items)
  );
};
