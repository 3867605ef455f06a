import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile } from '../../../../../core/api/codec.ts';
import { convertObject, keepsObject, writeObject } from '../../reasoning-object.ts';
import { readForm } from '../../request-form.ts';

/** `reasoning_effort`, or the object `reasoning` of a client of this wire. */
export function encodeReasoning(request: GenerateRequest, profile: TargetProfile, lose: Lose): JsonObject {
  if (readForm(request)?.reasoningObject === true)
    return keepsObject(profile)
      ? { reasoning: writeObject(request) }
      : omitUndefined({ reasoning_effort: convertObject(request, profile, lose) });
  if (request.reasoning === undefined) return {};
  const { effort = request.reasoning.budget === 0 ? 'none' : undefined, budget, show } = request.reasoning;
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
