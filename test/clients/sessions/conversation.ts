import type { Json, Wire } from '../../matrix/wires.ts';

/** A message or an item of a conversation, whatever its wire. */
export interface Turn {
  readonly isOfModel: boolean;
  /** As it was received. */
  readonly text: string;
}

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const isOfModel: Readonly<Record<Wire, (entry: Json) => boolean>> = {
  chat: ({ role }) => role === 'assistant',
  messages: ({ role }) => role === 'assistant',
  responses: ({ type, role }) => role === 'assistant' || type === 'reasoning' || String(type).endsWith('_call'),
  google: ({ role }) => role === 'model',
};
const members: Readonly<Record<Wire, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
  google: 'contents',
};
const isInstruction = ({ role }: Json): boolean => role === 'system' || role === 'developer';

/** The conversation in a request, without instructions. */
export const readTurns = (wire: Wire, body: Json): readonly Turn[] =>
  listOf(body[members[wire]])
    .filter((entry) => !isInstruction(entry))
    .map((entry) => ({ isOfModel: isOfModel[wire](entry), text: JSON.stringify(entry) }));

const MARK = /\[\[turn (\w+)\]\]/g;
/** What a prompt contains, so that the vendor knows which turn of the script it belongs to. */
export const markOf = (turn: string): string => `[[turn ${turn}]]`;

/** Where a conversation stands. */
export interface Position {
  /** The last turn of the script that a prompt named. */
  readonly turn: string | undefined;
  /** How many responses it has had. */
  readonly step: number;
  /** What followed the prompt, and the prompt. */
  readonly since: string;
  /** The whole conversation. */
  readonly whole: string;
}

export const readPosition = (wire: Wire, body: Json): Position => {
  const turns = readTurns(wire, body);
  const last = turns.findLastIndex(({ isOfModel, text }) => !isOfModel && text.search(MARK) >= 0);
  const since = turns.slice(Math.max(last, 0));
  const responses = since.filter((turn, index) => turn.isOfModel && since[index - 1]?.isOfModel === false);
  return {
    turn: [...(turns[last]?.text.matchAll(MARK) ?? [])].at(-1)?.[1],
    step: responses.length,
    since: since.map(({ text }) => text).join('\n'),
    whole: turns.map(({ text }) => text).join('\n'),
  };
};
