import type { GenerateRequest } from '../../../../../core/api/index.ts';
import type { Members } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';

const MAX_BIAS = 100;
const MAX_ALTERNATIVES = 20;

/** @throws GatewayError 400 for a bias that is no number from -100 to 100 */
export const checkBias = (body: Members): void => {
  for (const [token, bias] of Object.entries(body.rawObject('logit_bias') ?? {})) {
    if (typeof bias !== 'number' || Math.abs(bias) > MAX_BIAS) {
      throw invalidMember(`logit_bias.${token}`, `must be a number between -${MAX_BIAS} and ${MAX_BIAS}.`);
    }
  }
};

/**
 * `logprobs` and `top_logprobs`, which stay in `extra` as well: so a server of this wire gets what the client wrote.
 * @param view a view of its own, so that they count as unread in the body
 */
export const readLogprobsWanted = (view: Members): Pick<GenerateRequest, 'logprobs'> => {
  const wanted = view.boolean('logprobs') ?? false;
  const alternatives = view.number('top_logprobs', { integer: true, min: 0, max: MAX_ALTERNATIVES });
  if (alternatives !== undefined && !wanted) throw invalidMember('top_logprobs', "needs 'logprobs: true'.");
  return wanted ? { logprobs: alternatives ?? 0 } : {};
};

/** The members that are honoured where log probabilities are. */
export const LOGPROBS_MEMBERS: readonly string[] = ['logprobs', 'top_logprobs'];
