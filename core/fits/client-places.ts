import { lookUp } from '../canonical/look-up.ts';
import { isObject } from '../canonical/members.ts';
import type { JsonObject, WireName } from '../canonical/wire.ts';

/** Where a turn stood in the client's request, and each of its parts as far as that can be told. */
export interface TurnPlace {
  readonly turn: string;
  readonly parts: readonly string[];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Readonly<JsonObject> => (isObject(value) ? value : {});

/** Content is one text or a list of blocks. */
const listContent = (path: string, content: unknown): readonly string[] => (Array.isArray(content) ? content.map((_block, index) => `${path}[${index}]`) : [path]);

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What an assistant says stands in several members; only its turn is told. */
const placeChat = (body: Readonly<JsonObject>): readonly TurnPlace[] =>
  listOf(body['messages']).map((message, index) => {
    const turn = `messages[${index}]`;
    const { role, content } = objectOf(message);
    if (role === 'assistant') return { turn, parts: [] };
    return { turn, parts: role === 'tool' || role === 'function' ? [turn] : listContent(`${turn}.content`, content) };
  });

const placeMessages = ({ system, messages }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isSaid(system) && !(Array.isArray(system) && system.length === 0) ? [{ turn: 'system', parts: listContent('system', system) }] : []),
  ...listOf(messages).map((message, index) => ({ turn: `messages[${index}]`, parts: listContent(`messages[${index}].content`, objectOf(message)['content']) })),
];

/** Places that became one turn. */
const joinPlaces = (places: readonly (TurnPlace & { readonly side: unknown })[], joins: (side: unknown) => boolean): readonly TurnPlace[] => {
  const joined: { turn: string; side: unknown; parts: string[] }[] = [];
  for (const { turn, side, parts } of places) {
    const last = joined.at(-1);
    if (last === undefined || last.side !== side || !joins(side)) joined.push({ turn, side, parts: [...parts] });
    else for (const part of parts) last.parts.push(part);
  }
  return joined;
};

/** Neighbours of one side are steps of one turn: what the assistant did, and what came back from its calls. */
const placeItem = (item: unknown, index: number): TurnPlace & { readonly side: unknown } => {
  const turn = `input[${index}]`;
  const { type = 'message', role, content } = objectOf(item);
  if (type === 'message' && role !== 'assistant') return { turn, side: index, parts: listContent(`${turn}.content`, content) };
  if (type === 'message') return { turn, side: 'assistant', parts: listContent(`${turn}.content`, content) };
  return { turn, side: typeof type === 'string' && type.endsWith('_output') ? 'results' : 'assistant', parts: [turn] };
};

const placeResponses = ({ instructions, input }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isSaid(instructions) ? [{ turn: 'instructions', parts: ['instructions'] }] : []),
  ...(typeof input === 'string' ? [{ turn: 'input', parts: ['input'] }] : joinPlaces(listOf(input).map(placeItem), (side) => typeof side === 'string')),
];

const listParts = (path: string, content: unknown): readonly string[] => listOf(objectOf(content)['parts']).map((_part, index) => `${path}.parts[${index}]`);

const placeGenerateContent = (body: Readonly<JsonObject>): readonly TurnPlace[] => {
  const word = isSaid(body['systemInstruction']) ? 'systemInstruction' : 'system_instruction';
  const system = body[word];
  const contents = listOf(body['contents']).map((content, index) => ({
    turn: `contents[${index}]`,
    side: objectOf(content)['role'],
    parts: listParts(`contents[${index}]`, content),
  }));
  return [
    ...(isSaid(system) ? [{ turn: word, parts: typeof system === 'string' ? [word] : listParts(word, system) }] : []),
    ...joinPlaces(contents, (side) => side === 'model'),
  ];
};

const readers: Readonly<Record<string, (body: Readonly<JsonObject>) => readonly TurnPlace[]>> = {
  'chat-completions': placeChat,
  messages: placeMessages,
  responses: placeResponses,
  'generate-content': placeGenerateContent,
};

/** The places of a request's turns, in their order; `undefined` for a wire that nobody here can read. */
export const listTurnPlaces = (wire: WireName, body: unknown): readonly TurnPlace[] | undefined => lookUp(readers, wire)?.(objectOf(body));
