import type { JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';

/** `reasoning_effort` */
export function encodeReasoning(reasoning: Reasoning, lose: Lose): JsonObject {
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'chat-completions accepts an effort, not a number of tokens');
  if (show === true)
    lose(
      'reasoning.show',
      'approximated',
      'chat-completions cannot request the reasoning; some providers send it anyway',
    );
  return omitUndefined({ reasoning_effort: effort });
}
