import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { nameOutputCap } from '../../output-cap.ts';
import { WIRE } from '../../shape.ts';

/** The maximum on this wire. */
const MAX_STOPS = 4;
const encodeStop = (stop: readonly string[] | undefined, lose: Lose): readonly string[] | undefined => {
  if (stop !== undefined && stop.length > MAX_STOPS)
    lose('stop', 'approximated', `chat-completions accepts the first ${MAX_STOPS}`);
  return stop?.slice(0, MAX_STOPS);
};

/** Some servers of this wire take `top_k`; OpenAI does not define it. It is written for a client of this wire only. */
const encodeTopK = ({ topK, wire }: GenerateRequest, lose: Lose): number | undefined => {
  if (topK === undefined || wire === WIRE) return topK;
  lose('top_k', 'dropped', 'chat-completions has no top_k');
  return undefined;
};

/** The members of a client of this wire are written as it sent them: they are in `extra`. */
export const encodeLogprobs = ({ logprobs }: GenerateRequest): JsonObject =>
  logprobs === undefined ? {} : { logprobs: true, ...(logprobs > 0 ? { top_logprobs: logprobs } : {}) };

/** @param capMember the member in which the target takes the output cap */
export const encodeSampling = (request: GenerateRequest, capMember: string | undefined, lose: Lose): JsonObject => ({
  [capMember ?? nameOutputCap(request)]: request.maxTokens,
  temperature: request.temperature,
  top_p: request.topP,
  top_k: encodeTopK(request, lose),
  seed: request.seed,
  presence_penalty: request.presencePenalty,
  frequency_penalty: request.frequencyPenalty,
  stop: encodeStop(request.stop, lose),
  n: request.choices > 1 ? request.choices : undefined,
});
