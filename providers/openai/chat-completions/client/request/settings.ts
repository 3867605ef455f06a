import { invalidRequest, readMembers, type Members } from '../../../../../core/index.ts';

const BIAS = 100;
const MOST_ALTERNATIVES = 20;

const checkBias = (body: Members): void => {
  for (const [token, bias] of Object.entries(body.rawObject('logit_bias') ?? {})) {
    if (typeof bias !== 'number' || Math.abs(bias) > BIAS) {
      throw invalidRequest(
        `logit_bias.${token}`,
        `'logit_bias.${token}' must be a number between -${BIAS} and ${BIAS}.`,
      );
    }
  }
};

const checkLogprobs = (body: Members): void => {
  const wanted = body.boolean('logprobs') ?? false;
  const alternatives = body.number('top_logprobs', { integer: true, min: 0, max: MOST_ALTERNATIVES });
  if (alternatives !== undefined && !wanted)
    throw invalidRequest('top_logprobs', "'top_logprobs' needs 'logprobs: true'.");
};

/**
 * Token biases and log probabilities have limits in mission.md but no canonical word. They are checked over a view of their own, so that they
 * stay unread in the body and reach `extra`.
 */
export function checkTokenOptions(body: unknown): void {
  const view = readMembers(body);
  checkBias(view);
  checkLogprobs(view);
}
