import type { GenerateRequest, JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { prefixPaths } from '../../extra-members.ts';
import { decodeOutput } from './output-format.ts';
import { readEnum } from './wire-members.ts';

type Settings = Pick<GenerateRequest, 'choices'> & Partial<GenerateRequest>;

/** Without `responseLogprobs` the member is the vendor's to refuse. */
const readLogprobsWanted = (config: Members): number => config.number('logprobs', { integer: true, min: 0 }) ?? 0;

/** https://ai.google.dev/api/generate-content#generationconfig */
const decodeSampling = (config: Members): Settings => {
  const stop = config.strings('stopSequences');
  return {
    maxTokens: config.number('maxOutputTokens', { integer: true, above: 0 }),
    temperature: config.number('temperature', { min: 0, max: 2 }),
    topP: config.number('topP', { min: 0, max: 1 }),
    topK: config.number('topK', { integer: true, min: 0 }),
    seed: config.number('seed', { integer: true }),
    presencePenalty: config.number('presencePenalty', { min: -2, max: 2 }),
    frequencyPenalty: config.number('frequencyPenalty', { min: -2, max: 2 }),
    stop: stop?.length === 0 ? undefined : stop,
    logprobs: config.boolean('responseLogprobs') === true ? readLogprobsWanted(config) : undefined,
    choices: config.number('candidateCount', { integer: true, min: 1, max: 8 }) ?? 1,
  };
};

/** The model decides. This is the default of most models; the others do not think without it. */
const DYNAMIC = -1;
/** Kept only where the model decides, as other vendors' models do by themselves. */
export const DYNAMIC_BUDGET = 'generationConfig.thinkingConfig.thinkingBudget';
const UNSPECIFIED = 'thinking_level_unspecified';

/**
 * Thoughts are hidden unless the client opts in: other clients would take the first part, a thought, for the response.
 * https://ai.google.dev/gemini-api/docs/thinking
 */
const decodeReasoning = (config: Members): { readonly reasoning: Reasoning; readonly extra: JsonObject } => {
  const thinking = config.object('thinkingConfig');
  if (thinking === undefined) return { reasoning: { show: false }, extra: {} };
  const budget = thinking.number('thinkingBudget', { integer: true, min: DYNAMIC });
  const level = readEnum(thinking, 'thinkingLevel');
  const effort = level.name?.toLowerCase();
  const show = thinking.boolean('includeThoughts') ?? false;
  return {
    reasoning: {
      ...(budget === undefined || budget === DYNAMIC ? {} : { budget }),
      ...(effort === undefined || effort === UNSPECIFIED ? {} : { effort }),
      show,
    },
    extra: prefixPaths('thinkingConfig', {
      ...thinking.unread(),
      ...level.extra,
      ...(budget === DYNAMIC ? { thinkingBudget: budget } : {}),
    }),
  };
};

/** `generationConfig`, with its members that have no canonical one by their full path. */
export function decodeConfig(body: Members): { readonly settings: Settings; readonly extra: JsonObject } {
  const config = body.object('generationConfig');
  if (config === undefined) return { settings: { choices: 1, reasoning: { show: false } }, extra: {} };
  const { reasoning, extra: thinking } = decodeReasoning(config);
  const { output, extra: format } = decodeOutput(config);
  return {
    settings: omitUndefined<Settings>({ output, ...decodeSampling(config), reasoning }),
    extra: prefixPaths('generationConfig', { ...config.unread(), ...thinking, ...format }),
  };
}
