import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { isThinking } from './thinking.ts';

/** The temperature first, because top_p depends on it. */
const parameters = ['temperature', 'topP', 'topK'] as const;
type Parameter = (typeof parameters)[number];

/** The minimum of top_p while the model thinks. */
const TOP_P_WHILE_THINKING = 0.95;

/** Why a parameter is not supported; undefined if it is. */
const describeRefusal = (
  parameter: Parameter,
  request: GenerateRequest,
  { capabilities, traits }: TargetProfile,
): string | undefined => {
  if (capabilities.sampling === false) return 'the model does not accept sampling parameters';
  const isDefault =
    (parameter === 'temperature' && request.temperature === 1) ||
    (parameter === 'topP' && (request.topP ?? 0) >= TOP_P_WHILE_THINKING);
  if (traits.strictThinking === true && isThinking(request) && !isDefault)
    return 'the model does not accept it while it thinks';
  if (parameter === 'topP' && request.temperature !== undefined && capabilities.temperatureWithTopP === false)
    return 'the model does not accept it together with a temperature';
  return undefined;
};

/** Runs first: a temperature at the default is accepted even while the model thinks. */
const lowerTemperature = (
  request: GenerateRequest,
  { sampling, maxTemperature }: Capabilities,
  { lose, client }: FitContext,
): GenerateRequest => {
  const { temperature } = request;
  if (sampling === false || temperature === undefined || maxTemperature === undefined || temperature <= maxTemperature)
    return request;
  lose(describeField(client, 'temperature'), 'approximated', `lowered to ${maxTemperature}, the maximum of the model`);
  return { ...request, temperature: maxTemperature };
};

const dropParameter = (
  parameter: Parameter,
  request: GenerateRequest,
  profile: TargetProfile,
  { lose, client }: FitContext,
): GenerateRequest => {
  if (request[parameter] === undefined) return request;
  const refusal = describeRefusal(parameter, request, profile);
  if (refusal === undefined) return request;
  lose(describeField(client, parameter), 'dropped', refusal);
  return { ...request, [parameter]: undefined };
};

/** Temperature, top_p and top_k, as far as the model supports them. */
export const samplingFit = defineFit({
  name: 'sampling',
  applies: ({ capabilities, traits }) =>
    capabilities.sampling === false ||
    capabilities.maxTemperature !== undefined ||
    capabilities.temperatureWithTopP === false ||
    traits.strictThinking === true,
  fit(request, profile, context) {
    let fitted = lowerTemperature(request, profile.capabilities, context);
    for (const parameter of parameters) fitted = dropParameter(parameter, fitted, profile, context);
    return fitted === request ? undefined : { request: fitted };
  },
});
