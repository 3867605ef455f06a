import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { createStopCutter } from './stop-cutter.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

/** More than any vendor takes: every character of an answer is held against every sequence. */
const MOST = 32;
const LONGEST = 4_096;

/** Stop sequences where the target has none: the gateway cuts the answer itself. What the model writes behind the cut is billed all the same. */
export const stopSequencesFit = defineFit({
  name: 'stop-sequences',
  only: 'generate',
  applies: ({ capabilities }) => capabilities.stop === false,
  fit(request, { model }, { lose, client }) {
    if (request.stop === undefined) return undefined;
    const sequences = [...new Set(request.stop)].filter((sequence) => sequence !== '');
    const bent = { request: { ...request, stop: undefined } };
    if (sequences.length === 0) return bent;
    const field = describeField(client, 'stop');
    if (sequences.length > MOST || sequences.some(({ length }) => length > LONGEST)) {
      throw unsupportedParameter(
        field,
        `The model ${model} has no stop sequences. The gateway cuts its answer at up to ${MOST} of them, of up to ${LONGEST} characters each: send fewer or shorter ones in '${field}'.`,
      );
    }
    lose(
      field,
      'approximated',
      'the target has no stop sequences: the gateway cuts the answer there, and what the model wrote behind it is billed',
    );
    return { ...bent, reply: () => createStopCutter(sequences) };
  },
});
