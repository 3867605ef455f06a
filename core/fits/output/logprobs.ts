import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** Does not ask a model for log probabilities that refuses such a request. */
export const logprobsFit = defineFit({
  name: 'logprobs',
  applies: ({ capabilities }) => capabilities.logprobs === false,
  fit(request, profile, { client, lose }) {
    const { logprobs, wire } = request;
    if (logprobs === undefined || wire === profile.wire) return undefined;
    const detail = 'the model gives no log probabilities';
    lose(describeField(client, 'logprobs'), 'dropped', detail);
    if (logprobs > 0) lose(describeField(client, 'topLogprobs'), 'dropped', detail);
    return { request: { ...request, logprobs: undefined } };
  },
});
