import { GatewayError, type GenerateRequest, type JsonObject, type Turn } from '../../../../core/api/index.ts';
import { writeExtraMembers, type Lose } from '../../../../core/api/codec.ts';
import { WIRE, type Block, type Message } from '../shape.ts';
import { createDocumentNames } from './media.ts';
import { encodeParts } from './parts.ts';

const ID_LENGTH = 64;

/**
 * Maps ids of calls to ones that the wire accepts: `[a-zA-Z0-9_-]{1,64}`. Different ids stay different, and the same id
 * is always mapped alike.
 */
const createCallIds = (): ((original: string) => string) => {
  const known = new Map<string, string>();
  const used = new Set<string>();
  return (original) => {
    const legal = known.get(original);
    if (legal !== undefined) return legal;
    const base = original.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, ID_LENGTH) || 'call';
    let id = base;
    for (let count = 2; used.has(id); count += 1)
      id = `${base.slice(0, ID_LENGTH - String(count).length - 1)}_${count}`;
    used.add(id);
    known.set(original, id);
    return id;
  };
};

const isResult = (block: Block): boolean => 'toolResult' in block;

/** Results stand before other blocks. A cache point stays behind the block that it follows. */
const moveResultsFirst = (message: Message): Message => {
  const results: Block[] = [];
  const others: Block[] = [];
  let current = others;
  for (const block of message.content) {
    if (!('cachePoint' in block)) current = isResult(block) ? results : others;
    current.push(block);
  }
  return { ...message, content: [...results, ...others] };
};

/** The vendor requires that roles alternate. */
const mergeNeighbours = (messages: readonly Message[]): Message[] => {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role)
      merged[merged.length - 1] = { ...last, ...message, content: [...last.content, ...message.content] };
    else merged.push(message);
  }
  return merged;
};

const FILLER: Block = { text: '…' };

/** A document needs a text beside it: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
const addText = (message: Message, lose: Lose): Message => {
  if (!message.content.some((block) => 'document' in block) || message.content.some((block) => 'text' in block))
    return message;
  lose('messages', 'injected', 'a text beside a document, which bedrock-converse requires');
  return { ...message, content: [...message.content, FILLER] };
};

/** The first turn must be the user's. */
const startWithUser = (messages: readonly Message[], lose: Lose): readonly Message[] => {
  if (messages[0]?.role !== 'assistant') return messages;
  lose('messages', 'injected', 'a first user turn, which bedrock-converse requires');
  return [{ role: 'user', content: [FILLER] }, ...messages];
};

/** The model continues a last assistant turn, which must not end in white space. */
const trimPrefill = (messages: readonly Message[]): readonly Message[] => {
  const last = messages.at(-1);
  const text = last?.content.at(-1)?.['text'];
  if (last?.role !== 'assistant' || typeof text !== 'string' || text.trimEnd() === text) return messages;
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { text: text.trimEnd() }] }];
};

/** The role of a system turn is kept as such, so its original name (`developer`) is not a loss. */
const writeExtra = ({ extra }: Turn, path: string, lose: Lose): Readonly<JsonObject> => {
  const named: Lose = (field, kind, detail) => {
    if (!field.endsWith('.role')) lose(field, kind, detail);
  };
  return writeExtraMembers(extra, WIRE, named, path);
};

/** The system prompt as blocks, and the messages as the wire requires them. */
export function encodeTurns({ turns }: GenerateRequest, lose: Lose) {
  const shared = { lose, nameDocument: createDocumentNames(), callId: createCallIds() };
  const lead = turns.findIndex(({ role }) => role !== 'system');
  const count = lead < 0 ? turns.length : lead;
  const encoded = turns.map((turn, index) => {
    const { role, parts } = turn;
    const path = `messages[${index}].`;
    return { own: writeExtra(turn, path, lose), role, content: encodeParts(parts, { ...shared, role, path }) };
  });
  const messages = encoded.slice(count).flatMap(({ own, role, content }, index): Message[] => {
    if (content.length > 0) return [{ ...own, role: role === 'assistant' ? 'assistant' : 'user', content }];
    lose(`messages[${count + index}]`, 'dropped', 'a message without content, which bedrock-converse refuses');
    return [];
  });
  if (messages.length === 0)
    throw new GatewayError(
      'unsupported_parameter',
      'No message of the conversation has content that can be sent to this model.',
      { param: 'messages' },
    );
  const ordered = mergeNeighbours(messages).map((message) => addText(moveResultsFirst(message), lose));
  return {
    system: encoded.slice(0, count).flatMap(({ content }) => content),
    messages: trimPrefill(startWithUser(ordered, lose)),
  };
}
