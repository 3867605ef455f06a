import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';

/** The most that the vendor accepts. */
const MAX_STOPS = 5;
const encodeStop = (stop: GenerateRequest['stop'], wire: string, lose: Lose): readonly string[] | undefined => {
  if (wire === WIRE || stop === undefined || stop.length <= MAX_STOPS) return stop;
  lose('stop', 'approximated', `generate-content accepts the first ${MAX_STOPS}`);
  return stop.slice(0, MAX_STOPS);
};

const SEED_LIMIT = 2 ** 31;
/** The vendor's seed is a signed 32-bit integer. */
const encodeSeed = (seed: GenerateRequest['seed'], wire: string, lose: Lose): GenerateRequest['seed'] => {
  if (wire === WIRE || seed === undefined || (typeof seed === 'number' && seed >= -SEED_LIMIT && seed < SEED_LIMIT))
    return seed;
  lose('seed', 'dropped', 'generate-content accepts a seed of 32 bits');
  return undefined;
};

/** The sampling members of `generationConfig`: https://ai.google.dev/api/generate-content#generationconfig */
export const encodeSampling = (request: GenerateRequest, lose: Lose): JsonObject =>
  omitUndefined({
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.choices > 1 ? request.choices : undefined,
    maxOutputTokens: request.maxTokens,
    stopSequences: encodeStop(request.stop, request.wire, lose),
    seed: encodeSeed(request.seed, request.wire, lose),
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    responseLogprobs: request.logprobs === undefined ? undefined : true,
    logprobs: request.logprobs === 0 ? undefined : request.logprobs,
  });
