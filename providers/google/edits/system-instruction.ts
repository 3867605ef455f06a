import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { readRepeated } from '../generate-content/shape.ts';
import type { Edit } from './edit.ts';

const members = ['systemInstruction', 'system_instruction'] as const;

const partsOf = (instruction: unknown): readonly unknown[] => {
  if (typeof instruction === 'string') return instruction === '' ? [] : [{ text: instruction }];
  return isObject(instruction) ? readRepeated(instruction['parts']) : [];
};

const isUser = (content: unknown): content is JsonObject => isObject(content) && content['role'] !== 'model';

/**
 * Gemma has no system instruction: its text is moved to the start of the first user turn.
 * https://ai.google.dev/gemma/docs/core/prompt-structure
 */
export const moveInstruction: Edit = (body, lose) => {
  const member = members.find((name) => body[name] !== undefined && body[name] !== null);
  if (member === undefined) return [];
  const parts = partsOf(body[member]);
  const contents = readRepeated(body['contents']);
  lose(member, 'approximated', 'the model accepts no system instruction: it was moved to the start of the first turn');
  const [first, ...others] = contents;
  const opened = isUser(first)
    ? [{ ...first, parts: [...parts, ...partsOf(first)] }, ...others]
    : [{ role: 'user', parts }, ...contents];
  return [{ member, value: undefined }, ...(parts.length === 0 ? [] : [{ member: 'contents', value: opened }])];
};
