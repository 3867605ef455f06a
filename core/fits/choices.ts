import { defineFit } from '../contracts/fit.ts';
import { describeField } from './field-name.ts';
import { unsupportedParameter } from './unsupported.ts';

/** Several answers from a model that gives one per call are refused. */
export const choicesFit = defineFit({
  name: 'choices',
  applies: ({ capabilities }) => capabilities.choices === false,
  fit({ choices, wire }, { model }) {
    if (choices <= 1) return undefined;
    const field = describeField(wire, 'choices');
    throw unsupportedParameter(field, `The model ${model} gives one answer per call; '${field}' is ${choices}. Ask for one, or send the request ${choices} times.`);
  },
});
