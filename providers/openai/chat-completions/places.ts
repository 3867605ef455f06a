import type { JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, type TurnPlace } from '../../../core/api/codec.ts';
import { placeContent } from '../content-places.ts';

/**
 * The places of the turns that `client/request/turns.ts` decodes. The parts of an assistant message come from several
 * members, so only the turn has a place.
 */
export const places = (body: Readonly<JsonObject>): readonly TurnPlace[] =>
  readList(body['messages']).map((message, index) => {
    const turn = `messages[${index}]`;
    const { role, content } = readObject(message);
    if (role === 'assistant') return { turn, parts: [] };
    return { turn, parts: role === 'tool' || role === 'function' ? [turn] : placeContent(`${turn}.content`, content) };
  });
