import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, type KeptReferences, readList, readText } from '../../../../core/api/codec.ts';
import { isContentType } from '../shape.ts';

/** The input as steps: neighbouring content is one step of the user. */
function stepsOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }];
  const steps: unknown[] = [];
  let content: unknown[] | undefined;
  for (const item of isObject(input) ? [input] : readList(input)) {
    const isContent = isObject(item) && isContentType(readText(item['type']));
    if (!isContent) steps.push(item);
    else if (content === undefined) steps.push({ type: 'user_input', content: (content = [item]) });
    else content.push(item);
    if (!isContent) content = undefined;
  }
  return steps;
}

const parseSteps = (text: string): readonly unknown[] => JSON.parse(`[${text}]`) as readonly unknown[];

/**
 * References to earlier interactions. Only their steps are continued: tools and settings belong to one request.
 * https://ai.google.dev/gemini-api/docs/interactions
 */
export const kept: KeptReferences = {
  find: ({ previous_interaction_id: previous }) => (typeof previous === 'string' && previous !== '' ? [previous] : []),
  restore: ({ previous_interaction_id: previous, input }: Readonly<JsonObject>, found) => {
    const earlier = typeof previous === 'string' ? found.get(previous) : undefined;
    return earlier === undefined
      ? {}
      : { previous_interaction_id: undefined, input: [...parseSteps(earlier), ...stepsOf(input)] };
  },
  input: ({ input }) => JSON.stringify(stepsOf(input)).slice(1, -1),
};
