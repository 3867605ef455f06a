import { type JsonObject, readList, readObject, type TurnPlace } from '../../../core/index.ts';
import { placeContent } from '../content-places.ts';

/**
 * The places of the turns that `client/messages` reads. What an assistant says stands in several members: only its turn
 * has a place.
 */
export const places = (body: Readonly<JsonObject>): readonly TurnPlace[] =>
  readList(body['messages']).map((message, index) => {
    const turn = `messages[${index}]`;
    const { role, content } = readObject(message);
    if (role === 'assistant') return { turn, parts: [] };
    return { turn, parts: role === 'tool' || role === 'function' ? [turn] : placeContent(`${turn}.content`, content) };
  });
