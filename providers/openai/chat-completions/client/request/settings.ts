import { invalidRequest } from '../../../../../core/api/index.ts';
import { readMembers, type Members } from '../../../../../core/api/codec.ts';

const MAX_BIAS = 100;
const MAX_ALTERNATIVES = 20;

const checkBias = (body: Members): void => {
  for (const [token, bias] of Object.entries(body.rawObject('logit_bias') ?? {})) {
    if (typeof bias !== 'number' || Math.abs(bias) > MAX_BIAS) {
      throw invalidRequest(
        `logit_bias.${token}`,
        `'logit_bias.${token}' must be a number between -${MAX_BIAS} and ${MAX_BIAS}.`,
      );
    }
  }
};

const checkLogprobs = (body: Members): void => {
  const wanted = body.boolean('logprobs') ?? false;
  const alternatives = body.number('top_logprobs', { integer: true, min: 0, max: MAX_ALTERNATIVES });
  if (alternatives !== undefined && !wanted)
    throw invalidRequest('top_logprobs', "'top_logprobs' needs 'logprobs: true'.");
};

/**
 * Checks token biases and log probabilities, which have limits here but no canonical member. It reads them
 * through a view of its own, so that they count as unread in the body and stay in `extra`.
 */
export function checkSettings(body: unknown): void {
  const view = readMembers(body);
  checkBias(view);
  checkLogprobs(view);
}
