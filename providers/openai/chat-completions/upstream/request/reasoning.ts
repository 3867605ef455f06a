import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile } from '../../../../../core/api/codec.ts';
import { convertObject, keepsObject, writeObject } from '../../reasoning-object.ts';
import { readForm } from '../../request-form.ts';

/** `value` at a path such as `reasoning.max_tokens`. */
const nest = (path: string, value: number): JsonObject =>
  path
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, member) => ({ [member]: inner }), value) as JsonObject;

/** `reasoning_effort`, or the object `reasoning` of a client of this wire. */
export function encodeReasoning(request: GenerateRequest, profile: TargetProfile, lose: Lose): JsonObject {
  if (readForm(request)?.reasoningObject === true)
    return keepsObject(profile)
      ? { reasoning: writeObject(request) }
      : omitUndefined({ reasoning_effort: convertObject(request, profile, lose) });
  if (request.reasoning === undefined) return {};
  const { effort = request.reasoning.budget === 0 ? 'none' : undefined, budget, show } = request.reasoning;
  const { budgetMember } = profile;
  const isLimited = budget !== undefined && budget > 0;
  if (isLimited && budgetMember === undefined)
    lose('reasoning.budget', 'dropped', 'chat-completions accepts an effort, not a number of tokens');
  if (show === true)
    lose(
      'reasoning.show',
      'approximated',
      'chat-completions cannot request the reasoning; some providers send it anyway',
    );
  return omitUndefined({
    reasoning_effort: effort,
    ...(isLimited && budgetMember !== undefined ? nest(budgetMember, budget) : {}),
  });
}
