import { invalidRequest, type JsonObject, type Part, type Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, readMembers, type Members, type Proof } from '../../../../../core/api/codec.ts';
import { readCallProof } from '../../call-proof.ts';
import { WIRE } from '../../shape.ts';
import { decodeContent, type BlockDecoding } from './parts.ts';

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

type Measure = BlockDecoding['measure'];
const decodeTurn = (
  role: Turn['role'],
  content: unknown,
  path: string,
  measure: Measure,
  others: () => JsonObject,
): Turn => {
  const kept: JsonObject = {};
  const keep = (place: string, block: JsonObject): void => {
    kept[place] = block;
  };
  const parts = attachCallProofs(decodeContent(content, path, { measure, keep }));
  const members = { ...others(), ...kept };
  return { role, parts, ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }) };
};

const decodeMessage = (value: unknown, path: string, measure: Measure): Turn => {
  const message = readMembers(value, path);
  const role = message.oneOf('role', ['user', 'assistant', 'system']);
  if (role === undefined) throw invalidRequest(message.at('role'), `'${message.at('role')}' is required.`);
  const content = message.value('content');
  if (content === undefined) throw invalidRequest(message.at('content'), `'${message.at('content')}' is required.`);
  return decodeTurn(role, content, message.at('content'), measure, () => message.unread());
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

const decodeSystem = (system: unknown, measure: Measure): readonly Turn[] => {
  if (system === undefined || system === '' || (Array.isArray(system) && system.length === 0)) return [];
  return [makeAttributionOpaque(decodeTurn('system', system, 'system', measure, () => ({})))];
};

/**
 * The system prompt and the messages as turns. System messages keep their position.
 * @throws GatewayError 400; image limits apply to all images of the request together
 */
export function decodeTurns(body: Members): readonly Turn[] {
  const measure = createImageLimit();
  const messages = body.array('messages');
  if (messages === undefined) throw invalidRequest('messages', "'messages' is required.");
  if (messages.length === 0) throw invalidRequest('messages', "'messages' must hold at least one message.");
  return [
    ...decodeSystem(body.value('system'), measure),
    ...messages.map((message, index) => decodeMessage(message, `messages[${index}]`, measure)),
  ];
}
