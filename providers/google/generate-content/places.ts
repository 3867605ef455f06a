import type { JsonObject } from '../../../core/api/index.ts';
import { readList, readObject, type TurnPlace } from '../../../core/api/codec.ts';
import { joinTurnPlaces } from '../../../core/api/internal.ts';

const placeParts = (path: string, content: unknown): readonly string[] =>
  readList(readObject(content)['parts']).map((_part, index) => `${path}.parts[${index}]`);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The places of the turns that `client/request/turns.ts` reads. Consecutive model contents are one turn. */
export function places(body: Readonly<JsonObject>): readonly TurnPlace[] {
  const name = isPresent(body['systemInstruction']) ? 'systemInstruction' : 'system_instruction';
  const system = body[name];
  const contents = readList(body['contents']).map((content, index) => {
    const turn = `contents[${index}]`;
    return { turn, side: readObject(content)['role'], parts: placeParts(turn, content) };
  });
  return [
    ...(isPresent(system)
      ? [{ turn: name, parts: typeof system === 'string' ? [name] : placeParts(name, system) }]
      : []),
    ...joinTurnPlaces(contents, (side) => side === 'model'),
  ];
}
