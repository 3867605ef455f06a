import {
  createImageLimit,
  invalidRequest,
  lookUp,
  type JsonObject,
  type Members,
  type Part,
  type Turn,
} from '../../../../../core/index.ts';
import { partPath, prefixPaths } from '../../extra-members.ts';
import { WIRE } from '../../shape.ts';
import { createCallIds } from './call-ids.ts';
import { decodePart, type PartReader } from './parts.ts';
import { readItems } from './wire-members.ts';

interface Draft {
  readonly role: Turn['role'];
  readonly parts: Part[];
  readonly extra: JsonObject;
}

/** `function` is what the first versions of this wire called the user's turn with results. */
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
 * Streams are put back chunk by chunk: what goes on with the text or the thought before it is one with it. A signature closes what it stands on.
 * @param continues the part opens a content, or brings nothing but the signature
 */
const joinText = (last: Part | undefined, next: Part, continues: boolean): Part | undefined => {
  if (last === undefined || !continues || (next.type !== 'text' && next.type !== 'reasoning')) return undefined;
  if (last.type !== next.type || last.proof !== undefined || (next.type === 'reasoning' && next.redacted === true))
    return undefined;
  return { ...last, ...next, text: last.text + next.text };
};

const addParts = (turn: Draft, items: readonly Members[], reader: PartReader): void => {
  let opens = turn.parts.length > 0;
  for (const members of items) {
    const { part, kept } = decodePart(members, turn.role, reader);
    const says = Object.keys(kept).length > 0;
    if (isEmptyPart(part) && !says) continue;
    const signs = (part.type === 'text' || part.type === 'reasoning') && part.text === '';
    const joined = says ? undefined : joinText(turn.parts.at(-1), part, opens || signs);
    if (joined !== undefined) turn.parts.splice(-1, 1, joined);
    else turn.parts.push(part);
    if (says) Object.assign(turn.extra, prefixPaths(partPath(turn.parts.length - 1), kept));
    opens = false;
  }
};

const decodeSystem = (body: Members, reader: PartReader): readonly Draft[] => {
  const plain = body.value('systemInstruction');
  if (plain === undefined) return [];
  if (typeof plain === 'string')
    return plain === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text: plain }], extra: {} }];
  const content = body.object('systemInstruction');
  if (content === undefined) return [];
  content.value('role');
  const turn: Draft = { role: 'system', parts: [], extra: {} };
  addParts(turn, readItems(content, 'parts'), reader);
  Object.assign(turn.extra, content.unread());
  return turn.parts.length === 0 ? [] : [turn];
};

/** Model contents that follow one another are one turn: chat helpers put a stream back as one content per chunk. */
const nextTurn = (turns: Draft[], role: Turn['role'], reader: PartReader): Draft => {
  const last = turns.at(-1);
  if (last !== undefined && role === 'assistant' && last.role === role) return last;
  if (role === 'assistant') reader.ids.open(turns.length);
  const turn: Draft = { role, parts: [], extra: {} };
  turns.push(turn);
  return turn;
};

const decodeContent = (content: Members, turns: Draft[], reader: PartReader): void => {
  const role = readRole(content);
  const items = readItems(content, 'parts');
  if (role === 'user' && items.length === 0)
    throw invalidRequest(content.at('parts'), `'${content.at('parts')}' must hold at least one part.`);
  const turn = nextTurn(turns, role, reader);
  addParts(turn, items, reader);
  if (role === 'user' && turn.parts.length === 0) turn.parts.push({ type: 'text', text: '' });
  Object.assign(turn.extra, content.unread());
};

const finishTurn = ({ role, parts, extra }: Draft): Turn => ({
  role,
  parts,
  ...(Object.keys(extra).length === 0 ? {} : { extra: { wire: WIRE, members: extra } }),
});

/**
 * The system instruction and the contents as turns. An empty text says nothing and is left out, a model's turn of such texts too.
 * @throws GatewayError 400; the images of the whole request are weighed together
 */
export function decodeTurns(body: Members): readonly Turn[] {
  const contents = readItems(body, 'contents');
  if (contents.length === 0)
    throw invalidRequest(body.at('contents'), `'${body.at('contents')}' is required: a list of at least one content.`);
  const reader: PartReader = { ids: createCallIds(), measure: createImageLimit() };
  const turns: Draft[] = [...decodeSystem(body, reader)];
  for (const content of contents) decodeContent(content, turns, reader);
  return turns.filter(({ role, parts }) => role === 'user' || parts.length > 0).map(finishTurn);
}
