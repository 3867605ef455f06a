import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { createStopCutter } from './stop-cutter.ts';
import { unsupportedParameter } from '../support/unsupported.ts';

/** More than any vendor accepts. Every character of a response is compared with every sequence. */
const MAX_SEQUENCES = 32;
const LONGEST = 4_096;

/**
 * Stop sequences for targets without them: the gateway cuts the response. Text that the model generates after the cut
 * is billed.
 */
export const stopSequencesFit = defineFit({
  name: 'stop-sequences',
  only: 'generate',
  applies: ({ capabilities }) => capabilities.stop === false,
  fit(request, { model }, { lose, client }) {
    if (request.stop === undefined) return undefined;
    const sequences = [...new Set(request.stop)].filter((sequence) => sequence !== '');
    const withoutStop = { request: { ...request, stop: undefined } };
    if (sequences.length === 0) return withoutStop;
    const field = describeField(client, 'stop');
    if (sequences.length > MAX_SEQUENCES || sequences.some(({ length }) => length > LONGEST)) {
      throw unsupportedParameter(
        field,
        `The model ${model} has no stop sequences. The gateway cuts its response at up to ${MAX_SEQUENCES} of ` +
          `them, of up to ${LONGEST} characters each: send fewer or shorter ones in '${field}'.`,
      );
    }
    lose(
      field,
      'approximated',
      'the target has no stop sequences: the gateway cuts the response there, and what the model wrote after it ' +
        'is billed',
    );
    return { ...withoutStop, reply: () => createStopCutter(sequences) };
  },
});
