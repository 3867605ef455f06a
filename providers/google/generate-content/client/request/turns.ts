import { invalidRequest, type JsonObject, type Part, type Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, lookUp, type Members } from '../../../../../core/api/codec.ts';
import { partPath, prefixPaths } from '../../extra-members.ts';
import type { CarriedReasoning } from '../../carried-reasoning.ts';
import { WIRE } from '../../shape.ts';
import { CallIds } from './call-ids.ts';
import { decodePart, type DecodedPart, type PartDecoding } from './parts.ts';
import { readItems } from './wire-members.ts';

interface TurnDraft {
  readonly role: Turn['role'];
  readonly parts: DecodedPart[];
  /** Members of the content itself. */
  readonly extra: JsonObject;
}

/** The first versions of this wire used `function` for user turns with results. */
const roles: Readonly<Record<string, Turn['role']>> = { user: 'user', function: 'user', model: 'assistant' };

const readRole = (content: Members): Turn['role'] => {
  const role = lookUp(roles, content.string('role') || 'user');
  if (role === undefined)
    throw invalidRequest(content.at('role'), `'${content.at('role')}' must be 'user' or 'model'.`);
  return role;
};

const isEmptyPart = (part: Part): boolean =>
  (part.type === 'text' || part.type === 'reasoning') && part.text === '' && part.proof === undefined;

/**
 * Clients return a stream chunk by chunk, so a text or thought continues the one before it. A signature ends the part
 * that it signs.
 * @param continues the part is the first of its content, or has only a signature
 */
const joinText = (last: Part | undefined, next: Part, continues: boolean): Part | undefined => {
  if (last === undefined || !continues || (next.type !== 'text' && next.type !== 'reasoning')) return undefined;
  if (last.type !== next.type || last.proof !== undefined || (next.type === 'reasoning' && next.redacted === true))
    return undefined;
  return { ...last, ...next, text: last.text + next.text };
};

const addParts = (turn: TurnDraft, items: readonly Members[], reader: PartDecoding): void => {
  let canContinue = turn.parts.length > 0;
  for (const members of items) {
    const decoded = decodePart(members, turn.role, reader);
    const { part, extra } = decoded;
    const hasExtra = Object.keys(extra).length > 0;
    if (isEmptyPart(part) && !hasExtra) continue;
    const isSignature = (part.type === 'text' || part.type === 'reasoning') && part.text === '';
    const last = turn.parts.at(-1);
    const joined = hasExtra ? undefined : joinText(last?.part, part, canContinue || isSignature);
    if (last !== undefined && joined !== undefined) turn.parts.splice(-1, 1, { ...last, part: joined });
    else turn.parts.push(decoded);
    canContinue = false;
  }
};

const decodeSystem = (body: Members, reader: PartDecoding): readonly TurnDraft[] => {
  const plain = body.value('systemInstruction');
  if (plain === undefined) return [];
  if (typeof plain === 'string')
    return plain === ''
      ? []
      : [{ role: 'system', parts: [{ part: { type: 'text', text: plain }, extra: {} }], extra: {} }];
  const content = body.object('systemInstruction');
  if (content === undefined) return [];
  content.value('role');
  const turn: TurnDraft = { role: 'system', parts: [], extra: {} };
  addParts(turn, readItems(content, 'parts'), reader);
  Object.assign(turn.extra, content.unread());
  return turn.parts.length === 0 ? [] : [turn];
};

/** Consecutive model contents are one turn: chat helpers return a stream as one content per chunk. */
const nextTurn = (turns: TurnDraft[], role: Turn['role'], reader: PartDecoding): TurnDraft => {
  const last = turns.at(-1);
  if (last !== undefined && role === 'assistant' && last.role === role) return last;
  if (role === 'assistant') reader.ids.startTurn(turns.length);
  const turn: TurnDraft = { role, parts: [], extra: {} };
  turns.push(turn);
  return turn;
};

const decodeContent = (content: Members, turns: TurnDraft[], reader: PartDecoding): void => {
  const role = readRole(content);
  const items = readItems(content, 'parts');
  if (role === 'user' && items.length === 0)
    throw invalidRequest(content.at('parts'), `'${content.at('parts')}' must hold at least one part.`);
  const turn = nextTurn(turns, role, reader);
  addParts(turn, items, reader);
  if (role === 'user' && turn.parts.length === 0) turn.parts.push({ part: { type: 'text', text: '' }, extra: {} });
  Object.assign(turn.extra, content.unread());
};

const isText = ({ part }: DecodedPart): boolean => part.type === 'text';
/** Carried reasoning is not before these. */
const isBoundary = ({ part }: DecodedPart): boolean => part.type === 'tool-call' || part.type === 'reasoning';

/** The index in front of the last `before` parts. */
const findPlace = (parts: readonly DecodedPart[], before: number): number => {
  let place = parts.length;
  for (let left = before; left > 0; left -= 1) {
    const last = parts[place - 1];
    if (last === undefined || isBoundary(last)) break;
    place -= 1;
    if (!isText(last)) continue;
    for (let text = parts[place - 1]; text !== undefined && isText(text); text = parts[place - 1]) place -= 1;
  }
  return place;
};

/** The thought that the client sent back, with its proof or without. */
const isSame = ({ part }: DecodedPart, { part: { text, redacted, proof } }: CarriedReasoning): boolean =>
  part.type === 'reasoning' &&
  part.redacted === redacted &&
  (part.proof === undefined ? text !== '' && part.text === text : part.proof.value === proof?.value);

/**
 * Puts the reasoning that calls carry in front of them, where it was in the response. A thought that the client sent
 * back is replaced: its text can be hidden from the client.
 */
function restoreReasoning(decoded: readonly DecodedPart[]): readonly DecodedPart[] {
  if (!decoded.some(({ carried }) => carried !== undefined)) return decoded;
  const restored: DecodedPart[] = [];
  /** The first part after the last call. */
  let start = 0;
  for (const one of decoded) {
    for (const carried of one.carried ?? []) {
      const known = restored.slice(start).find((part) => isSame(part, carried));
      if (known === undefined)
        restored.splice(findPlace(restored, carried.before), 0, { part: carried.part, extra: {} });
      else restored.splice(restored.lastIndexOf(known), 1, { ...known, part: carried.part });
    }
    restored.push(one);
    if (one.part.type === 'tool-call') start = restored.length;
  }
  return restored;
}

const finishTurn = ({ role, parts: drafts, extra }: TurnDraft): Turn => {
  const decoded = restoreReasoning(drafts);
  const members: JsonObject = {};
  decoded.forEach((one, index) => {
    if (Object.keys(one.extra).length > 0) Object.assign(members, prefixPaths(partPath(index), one.extra));
  });
  Object.assign(members, extra);
  return {
    role,
    parts: decoded.map(({ part }) => part),
    ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }),
  };
};

/**
 * The system instruction and the contents as turns, without empty texts and without model turns that have only those.
 * @throws GatewayError 400; image limits apply to all images of the request together
 */
export function decodeTurns(body: Members): readonly Turn[] {
  const contents = readItems(body, 'contents');
  if (contents.length === 0)
    throw invalidRequest(body.at('contents'), `'${body.at('contents')}' is required: a list of at least one content.`);
  const reader: PartDecoding = { ids: new CallIds(), measure: createImageLimit() };
  const turns: TurnDraft[] = [...decodeSystem(body, reader)];
  for (const content of contents) decodeContent(content, turns, reader);
  return turns.filter(({ role, parts }) => role === 'user' || parts.length > 0).map(finishTurn);
}
