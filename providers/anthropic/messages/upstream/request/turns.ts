import { GatewayError, type GenerateRequest, type Tool, type Turn } from '../../../../../core/api/index.ts';
import { writeExtraMembers, type Lose, lookUp } from '../../../../../core/api/codec.ts';
import { splitTurnExtra } from '../../extra-members.ts';
import { WIRE, type Block, type Message } from '../../shape.ts';
import { encodeBlocks } from './parts.ts';

const ID_LENGTH = 64;

/** Maps ids to ones that the wire accepts. Different ids stay different, and the same id is always mapped alike. */
const createIds = (): ((original: string) => string) => {
  const known = new Map<string, string>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (original) => {
    const legal = known.get(original);
    if (legal !== undefined) return legal;
    const base = original.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, ID_LENGTH) || 'call';
    let id = base;
    let count = counts.get(base) ?? 2;
    for (; used.has(id); count += 1) id = `${base.slice(0, ID_LENGTH - String(count).length - 1)}_${count}`;
    counts.set(base, count);
    used.add(id);
    known.set(original, id);
    return id;
  };
};

const memberOf: Readonly<Record<string, string>> = { tool_use: 'id', tool_result: 'tool_use_id' };

/** Replaces the ids of calls and results that the wire does not accept: it requires `^[a-zA-Z0-9_-]+$`. */
function sanitiseCallIds(messages: readonly Message[]): Message[] {
  const createId = createIds();
  const legalise = (block: Block): Block => {
    const member = lookUp(memberOf, block.type);
    const original = member === undefined ? undefined : block[member];
    if (member === undefined || typeof original !== 'string') return block;
    const id = createId(original);
    return id === original ? block : { ...block, [member]: id };
  };
  return messages.map((message) => ({ ...message, content: message.content.map(legalise) }));
}

export interface EncodedTurns {
  readonly system: readonly Block[];
  readonly messages: readonly Message[];
}

/** The role of a system turn is kept as such, so its original name (`developer`) is not a loss. */
const ignoreRoleLosses =
  (lose: Lose): Lose =>
  (field, kind, detail) => {
    if (!field.endsWith('.role')) lose(field, kind, detail);
  };

const encodeTurn = (turn: Turn, index: number, tools: readonly Tool[], lose: Lose): Message => {
  const path = `messages[${index}].`;
  const { blocks: kept, own } = splitTurnExtra(writeExtraMembers(turn.extra, WIRE, ignoreRoleLosses(lose), path));
  return { ...own, role: turn.role, content: encodeBlocks(turn.parts, { role: turn.role, kept, path, lose, tools }) };
};

const isResult = ({ type }: Block): boolean => type === 'tool_result';

/** Tool results must come first in their turn. */
const moveResultsFirst = (message: Message): Message => {
  const first = message.content.findIndex((block) => !isResult(block));
  if (message.role !== 'user' || first < 0 || !message.content.some((block, index) => index > first && isResult(block)))
    return message;
  return {
    ...message,
    content: [...message.content.filter(isResult), ...message.content.filter((block) => !isResult(block))],
  };
};

const joinRun = (run: readonly Message[]): Message => {
  const members: Partial<Message> = {};
  for (const message of run) Object.assign(members, message);
  return { ...members, content: run.flatMap(({ content }) => content) } as Message;
};

/**
 * Merges neighbours of one role. The vendor does so too, but results of other wires, one message each, must be merged
 * before they are moved first.
 */
const mergeNeighbours = (messages: readonly Message[]): Message[] => {
  const runs: Message[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.[0]?.role === message.role) run.push(message);
    else runs.push([message]);
  }
  return runs.map(joinRun);
};

/** The model continues a last assistant turn, which must not end in white space. */
const trimPrefill = (messages: Message[]): Message[] => {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  const text = block?.['text'];
  if (last?.role !== 'assistant' || block?.type !== 'text' || typeof text !== 'string' || text.trimEnd() === text)
    return messages;
  const trimmed = text.trimEnd();
  const content = [...last.content.slice(0, -1), ...(trimmed === '' ? [] : [{ ...block, text: trimmed }])];
  return [...messages.slice(0, -1), ...(content.length === 0 ? [] : [{ ...last, content }])];
};

const FIRST_TURN: Message = { role: 'user', content: [{ type: 'text', text: '…' }] };

/** The first turn after the system turns must be the user's. */
const startWithUser = (messages: Message[], lose: Lose): Message[] => {
  const first = messages.findIndex(({ role }) => role !== 'system');
  if (messages[first]?.role !== 'assistant') return messages;
  lose('messages', 'injected', 'a first user turn, which messages requires');
  return messages.toSpliced(first, 0, FIRST_TURN);
};

/** A turn that changes the offered tools is not part of the system prompt: `honoured` names its blocks. */
const isPlain = ({ role, parts, extra }: Turn): boolean =>
  role === 'system' &&
  extra?.honoured === undefined &&
  parts.every((part) => part.type === 'text' || (part.type === 'opaque' && part.wire === WIRE));

/**
 * The system prompt as blocks, each with its cache mark, and the messages as the wire requires them: roles alternate,
 * tool results come first.
 */
export function encodeTurns({ turns, wire, tools }: GenerateRequest, lose: Lose): EncodedTurns {
  const lead = turns.findIndex((turn) => !isPlain(turn));
  const encoded = turns
    .map((turn, index) => encodeTurn(turn, index, tools, lose))
    .map((message, index) => ({ message, leads: lead < 0 || index < lead }));
  const system = encoded.flatMap(({ message, leads }) => (leads ? message.content : []));
  const body = encoded.flatMap(({ message, leads }, index) => {
    if (!leads && message.content.length === 0)
      lose(`messages[${index}]`, 'dropped', 'a message without content, which messages rejects');
    return leads || message.content.length === 0 ? [] : [message];
  });
  if (body.length === 0)
    throw new GatewayError(
      'unsupported_parameter',
      'No message of the conversation has content that can be sent to this model.',
      { param: 'messages' },
    );
  const joined = wire === WIRE ? body : mergeNeighbours(body);
  const messages = trimPrefill(sanitiseCallIds(joined.map(moveResultsFirst)));
  return { system, messages: wire === WIRE ? messages : startWithUser(messages, lose) };
}
