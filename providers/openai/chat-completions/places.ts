import type { JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, readText, type TurnPlace, unsealProof } from '../../../core/api/codec.ts';
import { placeContent } from '../content-places.ts';
import { foldDetails, readDetails } from './reasoning-details.ts';

const placeReasoning = (turn: string, message: Readonly<JsonObject>): readonly string[] => {
  const details = foldDetails(readDetails(message['reasoning_details']), unsealProof);
  if (details.length > 0) return details.map(() => `${turn}.reasoning_details`);
  const name = (['reasoning_content', 'reasoning'] as const).find((member) => readText(message[member]) !== '');
  return name === undefined ? [] : [`${turn}.${name}`];
};

/** The parts of an assistant message, which come from several members, in the order of `decodeAssistantParts`. */
const placeAssistant = (turn: string, message: Readonly<JsonObject>): readonly string[] => {
  const { content, refusal, tool_calls: calls, function_call: call } = message;
  return [
    ...placeReasoning(turn, message),
    ...(content === undefined || content === null || content === '' ? [] : placeContent(`${turn}.content`, content)),
    ...(readText(refusal) === '' ? [] : [`${turn}.refusal`]),
    ...readList(calls).map((_call, index) => `${turn}.tool_calls[${index}]`),
    ...(call === undefined || call === null ? [] : [`${turn}.function_call`]),
  ];
};

/** The places of the turns that `client/request/turns.ts` decodes. */
export const places = (body: Readonly<JsonObject>): readonly TurnPlace[] =>
  readList(body['messages']).map((value, index) => {
    const turn = `messages[${index}]`;
    const message = readObject(value);
    const { role, content } = message;
    if (role === 'assistant') return { turn, parts: placeAssistant(turn, message) };
    return { turn, parts: role === 'tool' || role === 'function' ? [turn] : placeContent(`${turn}.content`, content) };
  });
