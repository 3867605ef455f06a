import type { GenerateRequest, JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile } from '../../../../../core/api/codec.ts';
import { nameOutputCap } from '../../output-cap.ts';
import { convertObject, keepsObject, writeObject } from '../../reasoning-object.ts';
import { readForm } from '../../request-form.ts';
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

/** `value` at a path such as `reasoning.max_tokens`. */
const nest = (path: string, value: number): JsonObject =>
  path
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, member) => ({ [member]: inner }), value) as JsonObject;

/** `reasoning_effort`, or the object `reasoning` of a client of this wire. */
export function encodeReasoning(request: GenerateRequest, profile: TargetProfile, lose: Lose): JsonObject {
  if (readForm(request)?.reasoningObject === true)
    return keepsObject(profile)
      ? { reasoning: writeObject(request) }
      : omitUndefined({ reasoning_effort: convertObject(request, profile, lose) });
  if (request.reasoning === undefined) return {};
  const { effort = request.reasoning.budget === 0 ? 'none' : undefined, budget, show } = request.reasoning;
  const { budgetMember } = profile;
  const isLimited = budget !== undefined && budget > 0;
  if (isLimited && budgetMember === undefined)
    lose('reasoning.budget', 'dropped', 'chat-completions accepts an effort, not a number of tokens');
  if (show === true)
    lose(
      'reasoning.show',
      'approximated',
      'chat-completions cannot request the reasoning; some providers send it anyway',
    );
  return omitUndefined({
    reasoning_effort: effort,
    ...(isLimited && budgetMember !== undefined ? nest(budgetMember, budget) : {}),
  });
}

/** OpenAI requires a name for every schema. */
const SCHEMA_NAME = 'response';

/** `response_format` */
export function encodeOutput(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { response_format: { type: 'json_object' } };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return {
    response_format: { type: 'json_schema', json_schema: omitUndefined({ name, description, schema, strict }) },
  };
}
