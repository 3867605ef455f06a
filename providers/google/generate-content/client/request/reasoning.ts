import type { JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import type { Members } from '../../../../../core/api/codec.ts';
import { prefixPaths } from '../../extra-members.ts';
import { readEnum } from './wire-members.ts';

export interface DecodedReasoning {
  readonly reasoning: Reasoning;
  /** The unknown members of `thinkingConfig`. */
  readonly extra: JsonObject;
}

/** The model decides. This is the default of most models; the others do not think without it. */
const DYNAMIC = -1;
const UNSPECIFIED = 'thinking_level_unspecified';

/**
 * Thoughts are hidden unless the client opts in: other clients would take the first part, a thought, for the response.
 * https://ai.google.dev/gemini-api/docs/thinking
 */
export function decodeReasoning(config: Members | undefined): DecodedReasoning {
  const thinking = config?.object('thinkingConfig');
  if (thinking === undefined) return { reasoning: { show: false }, extra: {} };
  const budget = thinking.number('thinkingBudget', { integer: true, min: DYNAMIC });
  const level = readEnum(thinking, 'thinkingLevel');
  const effort = level.name?.toLowerCase();
  const show = thinking.boolean('includeThoughts') ?? false;
  return {
    reasoning: {
      ...(budget === undefined || budget === DYNAMIC ? {} : { budget }),
      ...(effort === undefined || effort === UNSPECIFIED ? {} : { effort }),
      show,
    },
    extra: prefixPaths('thinkingConfig', {
      ...thinking.unread(),
      ...level.extra,
      ...(budget === DYNAMIC ? { thinkingBudget: budget } : {}),
    }),
  };
}
