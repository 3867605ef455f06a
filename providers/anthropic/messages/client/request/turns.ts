import { invalidRequest, type JsonObject, type Part, type Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, readMembers, type Members, type Proof } from '../../../../../core/api/codec.ts';
import { readCallProof } from '../../call-proof.ts';
import { WIRE } from '../../shape.ts';
import { decodeContent, type BlockDecoding } from './parts.ts';
import type { ToolChange } from './tool-changes.ts';

/** Moves the proofs of calls, which clients return as thinking blocks, back to their calls. */
const attachCallProofs = (parts: readonly Part[]): readonly Part[] => {
  const proofs = new Map<string, Proof>();
  const others = parts.filter((part) => {
    const found = part.type === 'reasoning' && part.proof !== undefined ? readCallProof(part.proof) : undefined;
    if (found !== undefined) proofs.set(found.callId, found.proof);
    return found === undefined;
  });
  if (proofs.size === 0) return parts;
  return others.map((part) => {
    const proof = part.type === 'tool-call' ? proofs.get(part.id) : undefined;
    return part.type === 'tool-call' && proof !== undefined ? { ...part, proof } : part;
  });
};

/** Blocks of which other vendors get everything: the text names the tool, and the request declares it. */
const carried: ReadonlySet<unknown> = new Set(['tool_reference', 'tool_addition', 'tool_removal']);

type Reader = Omit<BlockDecoding, 'keep'>;
const decodeTurn = (
  role: Turn['role'],
  content: unknown,
  path: string,
  reader: Reader,
  others: () => JsonObject,
): Turn => {
  const kept: JsonObject = {};
  const honoured: string[] = [];
  const keep = (place: string, block: JsonObject): void => {
    kept[place] = block;
    if (carried.has(block['type'])) honoured.push(place);
  };
  const parts = attachCallProofs(decodeContent(content, path, { ...reader, keep }));
  const members = { ...others(), ...kept };
  if (Object.keys(members).length === 0) return { role, parts };
  return { role, parts, extra: { wire: WIRE, members, ...(honoured.length === 0 ? {} : { honoured }) } };
};

const decodeMessage = (value: unknown, path: string, reader: Reader): Turn => {
  const message = readMembers(value, path);
  const role = message.oneOf('role', ['user', 'assistant', 'system']);
  if (role === undefined) throw invalidRequest(message.at('role'), `'${message.at('role')}' is required.`);
  const content = message.value('content');
  if (content === undefined) throw invalidRequest(message.at('content'), `'${message.at('content')}' is required.`);
  return decodeTurn(role, content, message.at('content'), reader, () => message.unread());
};

/**
 * The billing header of Claude Code, the first text of its system prompt. It means nothing to other vendors, and
 * differs from request to request: their prompt caches would never match.
 */
const isAttribution = (part: Part): boolean =>
  part.type === 'text' && part.text.startsWith('x-anthropic-billing-header:');

const makeAttributionOpaque = (turn: Turn): Turn =>
  turn.parts.some(isAttribution)
    ? {
        ...turn,
        parts: turn.parts.map((part) =>
          isAttribution(part) && part.type === 'text'
            ? { type: 'opaque', wire: WIRE, value: { type: 'text', text: part.text } }
            : part,
        ),
      }
    : turn;

const decodeSystem = (system: unknown, reader: Reader): readonly Turn[] => {
  if (system === undefined || system === '' || (Array.isArray(system) && system.length === 0)) return [];
  return [makeAttributionOpaque(decodeTurn('system', system, 'system', reader, () => ({})))];
};

/**
 * The system prompt and the messages as turns, and the changes of the offered tools among them. System messages keep
 * their position.
 * @throws GatewayError 400; image limits apply to all images of the request together
 */
export function decodeTurns(body: Members): {
  readonly turns: readonly Turn[];
  readonly changes: readonly ToolChange[];
} {
  const changes: ToolChange[] = [];
  const reader: Reader = { measure: createImageLimit(), change: (change) => changes.push(change) };
  const messages = body.array('messages');
  if (messages === undefined) throw invalidRequest('messages', "'messages' is required.");
  if (messages.length === 0) throw invalidRequest('messages', "'messages' must hold at least one message.");
  const turns = [
    ...decodeSystem(body.value('system'), reader),
    ...messages.map((message, index) => decodeMessage(message, `messages[${index}]`, reader)),
  ];
  return { turns, changes };
}
