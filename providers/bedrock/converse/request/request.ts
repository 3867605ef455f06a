import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  lookUp,
  loseLogprobs,
  omitUndefined,
  writeExtraMembers,
  type Lose,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ServiceTier.html */
const tierOf: Readonly<Record<string, string>> = {
  default: 'default',
  standard: 'default',
  standard_only: 'default',
  priority: 'priority',
  fast: 'priority',
  flex: 'flex',
  reserved: 'reserved',
};

const encodeTier = ({ serviceTier }: GenerateRequest, lose: Lose): JsonObject | undefined => {
  if (serviceTier === undefined || serviceTier === 'auto') return undefined;
  const type = lookUp(tierOf, serviceTier);
  if (type !== undefined) return { type };
  lose('service_tier', 'dropped', `bedrock-converse has no tier '${serviceTier}'`);
  return undefined;
};

/** The schema as text: https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
const encodeOutput = ({ output }: GenerateRequest, lose: Lose): JsonObject | undefined => {
  if (output === undefined) return undefined;
  if (output.type === 'json') {
    lose('response_format', 'dropped', 'bedrock-converse has no free-form JSON');
    return undefined;
  }
  const { schema, name, description, strict } = output;
  if (strict === false) lose('response_format.strict', 'approximated', 'bedrock-converse always enforces the schema');
  const jsonSchema = omitUndefined({ schema: JSON.stringify(schema), name, description });
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
};

/** Names the canonical fields that the wire does not have. */
const loseUnsupported = (request: GenerateRequest, lose: Lose): void => {
  const unsupported = {
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    verbosity: request.verbosity,
    prompt_cache_key: request.cacheKey,
    user: request.user,
    n: request.choices > 1 ? request.choices : undefined,
    // The vendor stores nothing, so only `store: true` is lost.
    store: request.store === true ? true : undefined,
  };
  for (const [field, value] of Object.entries(unsupported))
    if (value !== undefined) lose(field, 'dropped', `bedrock-converse has no ${field}`);
  loseLogprobs(request.logprobs, lose, 'bedrock-converse has no log probabilities');
};

/** An object, or `undefined` if it has no members. */
const compose = (members: JsonObject): JsonObject | undefined => {
  const present = omitUndefined(members);
  return Object.keys(present).length === 0 ? undefined : present;
};

/** Where Claude reports the stop sequence that matched: plain, and in a stream. Other models ignore the paths. */
const SEQUENCE_PATHS = ['/stop_sequence', '/delta/stop_sequence'];

/**
 * The body of Converse and ConverseStream. The model and the choice between the two are in the path.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export function encodeRequest(request: GenerateRequest, profile: TargetProfile, lose: Lose) {
  const extra = writeExtraMembers(request.extra, WIRE, lose);
  const { system, messages } = encodeTurns(request, lose);
  loseUnsupported(request, lose);
  const stop = request.stop?.length === 0 ? undefined : request.stop;
  return {
    body: omitUndefined({
      ...extra,
      system: system.length === 0 ? undefined : system,
      messages,
      inferenceConfig: compose({
        maxTokens: request.maxTokens,
        temperature: request.temperature,
        topP: request.topP,
        stopSequences: stop,
      }),
      ...encodeTools(request, messages, lose),
      additionalModelRequestFields: compose({ top_k: request.topK, ...encodeReasoning(request, profile, lose) }),
      additionalModelResponseFieldPaths: stop === undefined ? undefined : SEQUENCE_PATHS,
      outputConfig: encodeOutput(request, lose),
      serviceTier: encodeTier(request, lose),
    }),
    headers: {},
  };
}
