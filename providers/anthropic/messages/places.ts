import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, type TurnPlace } from '../../../core/api/codec.ts';

const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_block, index) => `${path}[${index}]`) : [path];

/** An empty system prompt makes no turn. */
const isPresent = (system: unknown): boolean =>
  Array.isArray(system) ? system.length > 0 : system !== undefined && system !== null && system !== '';

/** The places of the turns that `client/request/turns.ts` reads. The system prompt is the first. */
export const places = ({ system, messages }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isPresent(system) ? [{ turn: 'system', parts: placeContent('system', system) }] : []),
  ...(Array.isArray(messages) ? messages : []).map((message: unknown, index) => {
    const turn = `messages[${index}]`;
    return { turn, parts: placeContent(`${turn}.content`, isObject(message) ? message['content'] : undefined) };
  }),
];
