import type { GenerateRequest } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';

/** Without `responseLogprobs` the member is the vendor's to refuse. */
const readLogprobsWanted = (config: Members): number => config.number('logprobs', { integer: true, min: 0 }) ?? 0;

/** https://ai.google.dev/api/generate-content#generationconfig */
export function decodeSampling(
  config: Members | undefined,
): Pick<GenerateRequest, 'choices'> & Partial<GenerateRequest> {
  if (config === undefined) return { choices: 1 };
  const stop = config.strings('stopSequences');
  const read: Partial<GenerateRequest> = {
    maxTokens: config.number('maxOutputTokens', { integer: true, above: 0 }),
    temperature: config.number('temperature', { min: 0, max: 2 }),
    topP: config.number('topP', { min: 0, max: 1 }),
    topK: config.number('topK', { integer: true, min: 0 }),
    seed: config.number('seed', { integer: true }),
    presencePenalty: config.number('presencePenalty', { min: -2, max: 2 }),
    frequencyPenalty: config.number('frequencyPenalty', { min: -2, max: 2 }),
    stop: stop?.length === 0 ? undefined : stop,
    logprobs: config.boolean('responseLogprobs') === true ? readLogprobsWanted(config) : undefined,
  };
  return {
    ...omitUndefined<Partial<GenerateRequest>>({ ...read }),
    choices: config.number('candidateCount', { integer: true, min: 1, max: 8 }) ?? 1,
  };
}
