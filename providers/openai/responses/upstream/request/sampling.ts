import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** OpenAI refuses fewer. A client of this wire gets OpenAI's error. */
const MIN_TOKENS = 16;
const encodeMaxTokens = ({ maxTokens, wire }: GenerateRequest, lose: Lose): number | undefined => {
  if (maxTokens === undefined || maxTokens >= MIN_TOKENS || wire === WIRE) return maxTokens;
  lose('max_tokens', 'approximated', `responses accepts at least ${MIN_TOKENS}`);
  return MIN_TOKENS;
};

/** Parameters that this wire does not have, by their field names in loss reports. */
const missing = {
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
} as const;
const missingNames = Object.keys(missing) as readonly (keyof typeof missing)[];

/** Reports the parameters that this wire does not have. */
export function loseSampling(request: GenerateRequest, lose: Lose): void {
  for (const name of missingNames)
    if (request[name] !== undefined) lose(missing[name], 'dropped', `responses has no ${missing[name]}`);
  if (request.choices > 1) lose('n', 'dropped', 'responses has one choice');
}

export const encodeSampling = (request: GenerateRequest, lose: Lose): JsonObject => ({
  max_output_tokens: encodeMaxTokens(request, lose),
  temperature: request.temperature,
  top_p: request.topP,
  ...((request.logprobs ?? 0) > 0 ? { top_logprobs: request.logprobs } : {}),
});
