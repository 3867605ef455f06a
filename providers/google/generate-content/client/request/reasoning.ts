import type { JsonObject, Members, Reasoning } from '../../../../../core/index.ts';
import { prefixPaths } from '../../extra-members.ts';

export interface DecodedReasoning {
  readonly reasoning: Reasoning;
  /** What `thinkingConfig` says beyond that. */
  readonly extra: JsonObject;
}

/** The model decides: what leaving the budget out says. */
const DYNAMIC = -1;
const UNSPECIFIED = 'thinking_level_unspecified';

/**
 * Thoughts are shown to those who ask for them: a client that did not would take the first part, a thought, for the answer.
 * https://ai.google.dev/gemini-api/docs/thinking
 */
export function decodeReasoning(config: Members | undefined): DecodedReasoning {
  const thinking = config?.object('thinkingConfig');
  if (thinking === undefined) return { reasoning: { show: false }, extra: {} };
  const budget = thinking.number('thinkingBudget', { integer: true, min: DYNAMIC });
  const effort = thinking.string('thinkingLevel')?.toLowerCase();
  const show = thinking.boolean('includeThoughts') ?? false;
  return {
    reasoning: {
      ...(budget === undefined || budget === DYNAMIC ? {} : { budget }),
      ...(effort === undefined || effort === UNSPECIFIED ? {} : { effort }),
      show,
    },
    extra: prefixPaths('thinkingConfig', thinking.unread()),
  };
}
