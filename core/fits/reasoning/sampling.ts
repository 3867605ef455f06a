import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit, type FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';
import { isThinking } from './thinking.ts';

/** The temperature first: whether top_p may stay depends on it. */
const knobs = ['temperature', 'topP', 'topK'] as const;
type Knob = (typeof knobs)[number];

/** Lowest top_p taken while the model thinks. */
const TOP_P_WHILE_THINKING = 0.95;

/** Why a knob may not be sent; `undefined` when it may. */
const describeRefusal = (
  knob: Knob,
  request: GenerateRequest,
  { capabilities, traits }: TargetProfile,
): string | undefined => {
  if (capabilities.sampling === false) return 'the model does not take sampling parameters';
  const isDefault =
    (knob === 'temperature' && request.temperature === 1) ||
    (knob === 'topP' && (request.topP ?? 0) >= TOP_P_WHILE_THINKING);
  if (traits.strictThinking === true && isThinking(request) && !isDefault)
    return 'the model does not take it while it thinks';
  if (knob === 'topP' && request.temperature !== undefined && capabilities.temperatureWithTopP === false)
    return 'the model does not take it beside a temperature';
  return undefined;
};

/** Lowered before anything else is asked: at the default it passes even while the model thinks. */
const lowerTemperature = (
  request: GenerateRequest,
  { sampling, maxTemperature }: Capabilities,
  { lose, client }: FitContext,
): GenerateRequest => {
  const { temperature } = request;
  if (sampling === false || temperature === undefined || maxTemperature === undefined || temperature <= maxTemperature)
    return request;
  lose(
    describeField(client, 'temperature'),
    'approximated',
    `lowered to ${maxTemperature}, the highest the model takes`,
  );
  return { ...request, temperature: maxTemperature };
};

const dropKnob = (
  knob: Knob,
  request: GenerateRequest,
  profile: TargetProfile,
  { lose, client }: FitContext,
): GenerateRequest => {
  if (request[knob] === undefined) return request;
  const refusal = describeRefusal(knob, request, profile);
  if (refusal === undefined) return request;
  lose(describeField(client, knob), 'dropped', refusal);
  return { ...request, [knob]: undefined };
};

/** Temperature, top_p and top_k as far as the model takes them. */
export const samplingFit = defineFit({
  name: 'sampling',
  applies: ({ capabilities, traits }) =>
    capabilities.sampling === false ||
    capabilities.maxTemperature !== undefined ||
    capabilities.temperatureWithTopP === false ||
    traits.strictThinking === true,
  fit(request, profile, context) {
    let fitted = lowerTemperature(request, profile.capabilities, context);
    for (const knob of knobs) fitted = dropKnob(knob, fitted, profile, context);
    return fitted === request ? undefined : { request: fitted };
  },
});
