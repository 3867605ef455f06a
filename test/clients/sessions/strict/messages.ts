import type { Json } from '../../../matrix/wires.ts';
import { proofs } from '../answers.ts';
import { listOf } from '../conversation.ts';
import { findUnknown, membersOf } from './sdk-members.ts';

const known = new Set([
  ...membersOf('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'MessageCreateParamsBase'),
  // No longer in the SDK; the models of the script accept them.
  'temperature',
  'top_p',
  'top_k',
]);
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const blocks = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'tool_reference',
  'server_tool_use',
  'mid_conv_system',
]);

const findBlockFault = (block: Json): string | undefined => {
  if (!blocks.has(String(block['type']))) return `unknown type of content: ${String(block['type'])}`;
  if (block['type'] === 'text' && block['text'] === '') return 'a text is empty';
  if (block['type'] === 'thinking' && block['signature'] !== proofs.messages) return 'invalid signature of thinking';
  if (block['type'] === 'tool_use' && !NAME.test(String(block['name']))) return 'invalid name of a tool';
  return listOf(block['content'])
    .map(findBlockFault)
    .find((fault) => fault !== undefined);
};

const idsOf = (message: Json | undefined, type: string, member: string): readonly unknown[] =>
  listOf(message?.['content']).flatMap((block) => (block['type'] === type ? [block[member]] : []));

/** The calls of a message are answered by the next one, and it answers no other. */
const findPairFault = (messages: readonly Json[]): string | undefined => {
  for (const [index, message] of messages.entries()) {
    const [calls, results] = [
      idsOf(message, 'tool_use', 'id'),
      idsOf(messages[index + 1], 'tool_result', 'tool_use_id'),
    ];
    if (calls.some((id) => !results.includes(id))) return `a call of messages.${index} has no result`;
    if (results.some((id) => !calls.includes(id))) return `a result of messages.${index + 1} has no call`;
  }
  return idsOf(messages[0], 'tool_result', 'tool_use_id').length > 0 ? 'a result without a call' : undefined;
};

const findToolFault = (tool: Json): string | undefined => {
  if (typeof tool['type'] === 'string' && tool['type'] !== 'custom') return undefined;
  if (!NAME.test(String(tool['name']))) return `invalid name of a tool: ${String(tool['name'])}`;
  return (tool['input_schema'] as Json | undefined)?.['type'] === 'object' ? undefined : 'a schema is no object';
};

const findMessageFault = ({ role, content }: Json): string | undefined => {
  if (!['user', 'assistant', 'system'].includes(String(role))) return `unknown role ${String(role)}`;
  // Claude Code itself sends an empty system message after a compaction.
  if (role !== 'system' && (content === '' || (Array.isArray(content) && content.length === 0)))
    return 'a message is empty';
  return listOf(content)
    .map(findBlockFault)
    .find((fault) => fault !== undefined);
};

/** Why Anthropic would refuse a request. */
export const findMessagesFault = (body: Json): string | undefined => {
  const unknown = findUnknown(body, known);
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (!Number.isInteger(body['max_tokens'])) return 'max_tokens: Field required';
  const messages = listOf(body['messages']);
  if (messages[0]?.['role'] !== 'user') return 'the first message is not of the user';
  const marks = JSON.stringify(body).match(/"cache_control":\{/g) ?? [];
  if (marks.length > 4) return `a maximum of 4 blocks with cache_control, found ${marks.length}`;
  return (
    messages.map(findMessageFault).find((fault) => fault !== undefined) ??
    listOf(body['tools'])
      .map(findToolFault)
      .find((fault) => fault !== undefined) ??
    findPairFault(messages)
  );
};
