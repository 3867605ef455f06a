import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import { omitUndefined, type Lose, type TargetProfile } from '../../../../core/api/codec.ts';

/** Nova writes the effort into an object: https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html */
const NOVA_MEMBER = 'reasoningConfig';
/** Models whose effort is one member, as in OpenAI's API. */
const PLAIN_MEMBER = 'reasoning_effort';

const isOff = ({ budget, effort }: NonNullable<GenerateRequest['reasoning']>): boolean =>
  budget === 0 || effort === 'none';

/** Claude: a budget becomes `enabled`, an effort `adaptive`. */
const encodeThinking = (reasoning: NonNullable<GenerateRequest['reasoning']>): JsonObject => {
  const { budget, effort, show } = reasoning;
  if (isOff(reasoning)) return { thinking: { type: 'disabled' } };
  if (budget !== undefined)
    return { thinking: { type: 'enabled', budget_tokens: budget, ...(show === false ? { display: 'omitted' } : {}) } };
  if (effort === undefined) return {};
  const display = show === undefined ? undefined : show ? 'summarized' : 'omitted';
  return {
    thinking: omitUndefined({ type: 'adaptive', display }),
    output_config: { effort: effort === 'minimal' ? 'low' : effort },
  };
};

const encodeEffort = (
  reasoning: NonNullable<GenerateRequest['reasoning']>,
  member: string | undefined,
): JsonObject | undefined => {
  const { effort } = reasoning;
  if (member === NOVA_MEMBER)
    return isOff(reasoning)
      ? { [member]: { type: 'disabled' } }
      : effort === undefined
        ? {}
        : { [member]: { type: 'enabled', maxReasoningEffort: effort } };
  if (member === PLAIN_MEMBER) return effort === undefined ? {} : { [member]: effort };
  return undefined;
};

/**
 * The members of `additionalModelRequestFields` for reasoning. The wire itself has none: those of Claude, unless the
 * server reads the effort from another member.
 */
export function encodeReasoning(
  { reasoning }: GenerateRequest,
  { effortMember, capabilities }: Pick<TargetProfile, 'effortMember' | 'capabilities'>,
  lose: Lose,
): JsonObject {
  if (reasoning === undefined) return {};
  const encoded = encodeEffort(reasoning, effortMember);
  if (encoded !== undefined) return encoded;
  if (capabilities.thinking !== undefined && capabilities.thinking !== 'none') return encodeThinking(reasoning);
  // A model without a switch does not reason on request, so switching it off is not a loss.
  if (isOff(reasoning)) return {};
  for (const [field, value] of Object.entries(reasoning))
    if (value !== undefined) lose(field, 'dropped', 'the gateway does not know how this model is asked to reason');
  return {};
}
