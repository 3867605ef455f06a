import type { GenerateRequest, JsonObject } from '../../../core/api/index.ts';
import { omitUndefined, readObject, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { chooseEffort } from '../../../core/api/internal.ts';

/** The effort that `enabled` stands for. */
export const effortOf = ({ enabled }: Readonly<JsonObject>): string | undefined =>
  enabled === true ? 'medium' : enabled === false ? 'none' : undefined;

/** Members of the object without a canonical member, and `enabled`. */
const othersOf = ({ extra }: GenerateRequest): Readonly<JsonObject> => readObject(extra.members['reasoning']);

/** Whether the server gets the object as the client wrote it: it does not want the effort in another member. */
export const keepsObject = ({ effortMember }: TargetProfile): boolean => effortMember === undefined;

/** The object as the client wrote it, with the changes of plugins. */
export function writeObject(request: GenerateRequest): JsonObject {
  const others = othersOf(request);
  const { effort, budget, show } = request.reasoning ?? {};
  return {
    ...omitUndefined({
      effort: effort === effortOf(others) ? undefined : effort,
      max_tokens: budget,
      exclude: show === undefined ? undefined : !show,
    }),
    ...others,
  };
}

/**
 * The effort that a server without the object gets in its place, on both lanes. An effort stays as the client sent it.
 * @returns `undefined` if the model does not reason, or if the object asks for none of it
 */
export function convertObject(
  request: GenerateRequest,
  { capabilities }: TargetProfile,
  lose: Lose,
): string | undefined {
  const { enabled, ...others } = othersOf(request);
  const { effort, budget } = request.reasoning ?? {};
  for (const member of Object.keys(others)) lose(`reasoning.${member}`, 'dropped', 'the server has no such member');
  if (effort === undefined && budget === undefined) return undefined;
  const isGiven = effort !== undefined && effort !== effortOf({ enabled });
  const isOff = effort === 'none' || budget === 0;
  const field = isGiven ? 'reasoning.effort' : effort === undefined ? 'reasoning.max_tokens' : 'reasoning.enabled';
  if (capabilities.efforts?.length === 0) {
    if (!isOff) lose(field, 'dropped', 'the model does not reason on request');
    return undefined;
  }
  if (isGiven) {
    if (budget !== undefined) lose('reasoning.max_tokens', 'dropped', 'an effort was given as well');
    return effort;
  }
  const chosen = chooseEffort(request, capabilities);
  if (chosen !== (isOff ? 'none' : effort))
    lose(field, 'approximated', `the server accepts an effort: '${chosen}' was sent`);
  return chosen;
}
