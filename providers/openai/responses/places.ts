import type { JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, type TurnPlace } from '../../../core/api/codec.ts';
import { joinTurnPlaces } from '../../../core/api/internal.ts';
import { placeContent } from '../content-places.ts';

/** Who an item belongs to: the assistant, the results of its calls, or neither (the index of the message). */
type Side = 'assistant' | 'results' | number;

const placeItem = (item: unknown, index: number): TurnPlace & { readonly side: Side } => {
  const turn = `input[${index}]`;
  const { type = 'message', role, content } = readObject(item);
  if (type === 'message') {
    return { turn, side: role === 'assistant' ? role : index, parts: placeContent(`${turn}.content`, content) };
  }
  return { turn, side: typeof type === 'string' && type.endsWith('_output') ? 'results' : 'assistant', parts: [turn] };
};

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What an update changes is no part of the conversation, but its instructions are, and members that are not known. */
const settings: ReadonlySet<string> = new Set(['type', 'id', 'reasoning', 'text']);

const listPlaces = (item: unknown, index: number): readonly (TurnPlace & { readonly side: Side })[] => {
  const { type, instructions, ...others } = readObject(item);
  if (type !== 'configuration_update') return [placeItem(item, index)];
  const turn = `input[${index}]`;
  return [
    ...(isPresent(instructions) ? [{ turn, side: index, parts: [`${turn}.instructions`] }] : []),
    ...(Object.keys(others).some((name) => !settings.has(name)) ? [placeItem(item, index)] : []),
  ];
};

/** The places of the turns that `client/request/turns.ts` decodes: consecutive items of one side are one turn. */
export const places = ({ instructions, input }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isPresent(instructions) ? [{ turn: 'instructions', parts: ['instructions'] }] : []),
  ...(typeof input === 'string'
    ? [{ turn: 'input', parts: ['input'] }]
    : joinTurnPlaces(readList(input).flatMap(listPlaces), (side) => typeof side === 'string')),
];
