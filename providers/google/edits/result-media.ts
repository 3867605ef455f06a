import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { readRepeated } from '../generate-content/shape.ts';
import type { Edit } from './edit.ts';

const spellings = ['functionResponse', 'function_response'] as const;

const splitResult = (part: unknown): readonly [result: unknown, media: readonly unknown[]] => {
  const member = isObject(part) ? spellings.find((name) => isObject(part[name])) : undefined;
  if (!isObject(part) || member === undefined) return [part, []];
  const { parts, ...result } = part[member] as JsonObject;
  const media = readRepeated(parts);
  return media.length === 0 ? [part, []] : [{ ...part, [member]: result }, media];
};

/**
 * Before Gemini 3, a result cannot hold media. They are moved behind all results of the turn.
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
export const moveResultMedia: Edit = (body, lose) => {
  let moved = false;
  const flat = readRepeated(body['contents']).map((content) => {
    if (!isObject(content)) return content;
    const split = readRepeated(content['parts']).map(splitResult);
    const media = split.flatMap(([, parts]) => parts);
    if (media.length === 0) return content;
    moved = true;
    const results = split.map(([part]) => part);
    const behind = results.findLastIndex((part) => isObject(part) && spellings.some((name) => name in part)) + 1;
    return { ...content, parts: [...results.slice(0, behind), ...media, ...results.slice(behind)] };
  });
  if (!moved) return [];
  lose(
    'contents.parts.functionResponse.parts',
    'approximated',
    'the model accepts no media inside a result: they were moved after it',
  );
  return [{ member: 'contents', value: flat }];
};
