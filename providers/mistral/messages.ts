import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readText, type Lose } from '../../core/api/codec.ts';

/** The vendor refuses every other id of a call. */
const VALID = /^[a-zA-Z0-9]{9}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The same id each time the conversation is sent, so that a call and its result still match. */
export function writeCallId(id: string): string {
  if (VALID.test(id)) return id;
  const digest = createHash('sha256').update(id).digest().subarray(0, 9);
  return Array.from(digest, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A file of chat completions is a document here: bytes as a data URL, or an address. */
const documentOf = ({ file }: Readonly<JsonObject>): JsonObject | undefined => {
  if (!isObject(file) || readText(file['file_data']) === '') return undefined;
  const name = readText(file['filename']);
  return {
    type: 'document_url',
    document_url: file['file_data'],
    ...(name === '' ? {} : { document_name: name }),
  };
};

/** Marks of prompt caches. The vendor caches by itself, and refuses members that it does not know. */
const marks = ['cache_control', 'prompt_cache_breakpoint'] as const;
const hasMark = (value: Readonly<JsonObject>): boolean => marks.some((mark) => mark in value);
const withoutMarks = (value: Readonly<JsonObject>): JsonObject => {
  const { cache_control: _mark, prompt_cache_breakpoint: _breakpoint, ...others } = value;
  return others;
};

/** Reports each kind of loss once per request. */
export const loseOnce = (lose: Lose): Lose => {
  const seen = new Set<string>();
  return (field, kind, detail) => {
    if (!seen.has(field)) lose(field, kind, detail);
    seen.add(field);
  };
};

const editBlock = (block: unknown, lose: Lose): readonly unknown[] => {
  if (!isObject(block)) return [block];
  if (block['type'] === 'refusal') return [{ type: 'text', text: block['refusal'] }];
  if (block['type'] === 'file') return [documentOf(block) ?? block];
  if (!hasMark(block)) return [block];
  lose('messages.content.cache_control', 'dropped', 'the vendor caches prompts by itself');
  return [withoutMarks(block)];
};

const needsEdit = (block: unknown): boolean =>
  isObject(block) && (block['type'] === 'file' || block['type'] === 'refusal' || hasMark(block));

const editContent = (content: unknown, lose: Lose): unknown =>
  Array.isArray(content) && content.some(needsEdit) ? content.flatMap((block) => editBlock(block, lose)) : content;

/** The text of earlier reasoning, in whichever member a client sends it back. */
const reasoningOf = (message: Readonly<JsonObject>): string =>
  readText(message['reasoning_content']) ||
  readText(message['reasoning']) ||
  readList(message['reasoning_details'])
    .map((detail) => (isObject(detail) ? readText(detail['text']) || readText(detail['summary']) : ''))
    .join('');

const blocksOf = (content: unknown): readonly unknown[] => {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
};

const editCall = (call: unknown): unknown => {
  if (!isObject(call)) return call;
  const { extra_content: _extra, ...others } = call;
  return { ...others, id: writeCallId(readText(call['id'])) };
};

/** Reasoning is a block of the content; a refusal is a text. */
function editAssistant(message: Readonly<JsonObject>, thinks: boolean, lose: Lose): JsonObject {
  const {
    reasoning: _reasoning,
    reasoning_content: _content,
    reasoning_details: _details,
    refusal,
    tool_calls: calls,
    annotations: _annotations,
    audio,
    function_call: legacy,
    ...others
  } = message;
  if (isObject(audio)) lose('messages.audio', 'dropped', 'the vendor has no audio of its models');
  if (isObject(legacy)) lose('messages.function_call', 'dropped', 'the vendor knows tool_calls only');
  const thinking = reasoningOf(message);
  if (thinking !== '' && !thinks) lose('messages.reasoning', 'dropped', 'this model does not take reasoning back');
  const thoughts =
    thinking === '' || !thinks ? [] : [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }];
  const said = readText(refusal) === '' ? [] : [{ type: 'text', text: refusal }];
  const content = editContent(message['content'], lose);
  return {
    ...others,
    ...(thoughts.length + said.length > 0 ? { content: [...thoughts, ...blocksOf(content), ...said] } : { content }),
    ...(calls === undefined ? {} : { tool_calls: Array.isArray(calls) ? calls.map(editCall) : calls }),
  };
}

const roles: Readonly<Record<string, string>> = { developer: 'system', function: 'tool' };

/** One message in the dialect of the vendor. */
export function editMessage(value: unknown, thinks: boolean, lose: Lose): unknown {
  if (!isObject(value)) return value;
  if (value['role'] === 'assistant') return editAssistant(value, thinks, lose);
  const role = roles[readText(value['role'])] ?? value['role'];
  const { name, tool_call_id: id, ...others } = value;
  if (name !== undefined && role !== 'tool')
    lose('messages.name', 'dropped', 'the vendor has no names of participants');
  return {
    ...others,
    role,
    content: editContent(value['content'], lose),
    ...(role === 'tool' && name !== undefined ? { name } : {}),
    ...(id === undefined ? {} : { tool_call_id: writeCallId(readText(id)) }),
  };
}

/** A conversation that ends with the assistant is continued, which the request has to say. */
export const continueLast = (messages: readonly unknown[]): readonly unknown[] => {
  const last = messages.at(-1);
  return isObject(last) && last['role'] === 'assistant' && !('prefix' in last) && last['tool_calls'] === undefined
    ? [...messages.slice(0, -1), { ...last, prefix: true }]
    : messages;
};
