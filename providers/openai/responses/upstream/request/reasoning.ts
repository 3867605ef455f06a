import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, readObject } from '../../../../../core/api/codec.ts';
import { mergeMembers } from './merge-members.ts';

/** `reasoning`. The summary is `auto`, unless a client of this wire asked for another kind. */
export function encodeReasoning({ reasoning }: GenerateRequest, extra: Readonly<JsonObject>, lose: Lose): JsonObject {
  const own = readObject(extra['reasoning']);
  if (reasoning === undefined) return mergeMembers('reasoning', own);
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'responses accepts an effort, not a number of tokens');
  return mergeMembers('reasoning', show === true ? { summary: 'auto' } : {}, own, omitUndefined({ effort }));
}
