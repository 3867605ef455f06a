import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, readList } from '../../../../core/api/codec.ts';

/**
 * A response or a chunk with the text of its choices where chat completions have it, so that one reader serves both
 * wires. Log probabilities of this wire have another shape and stay as they are.
 * @param member `message` of plain responses, `delta` of chunks
 */
export const toChatForm = (body: Readonly<JsonObject>, member: 'message' | 'delta'): JsonObject => {
  const { choices, ...others } = body;
  if (!Array.isArray(choices)) return { ...body };
  return {
    ...others,
    choices: readList(choices).map((choice) => {
      if (!isObject(choice)) return choice;
      const { text, ...members } = choice;
      return { ...members, [member]: { content: text } };
    }),
  };
};
