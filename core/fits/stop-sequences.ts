import { defineFit } from '../contracts/fit.ts';
import { describeField } from './field-name.ts';

/** Stop sequences where the target has none. */
export const stopSequencesFit = defineFit({
  name: 'stop-sequences',
  applies: ({ capabilities }) => capabilities.stop === false,
  fit(request, _profile, { lose }) {
    if (request.stop === undefined) return undefined;
    if (request.stop.length > 0) lose(describeField(request.wire, 'stop'), 'dropped', 'the target has no stop sequences');
    return { request: { ...request, stop: undefined } };
  },
});
