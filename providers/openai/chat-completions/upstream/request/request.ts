import {
  type GenerateRequest,
  type JsonObject,
  type Lose,
  omitUndefined,
  type OutputFormat,
  readObject,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/index.ts';
import { shortenUser } from '../../../shorten.ts';
import { encodeTier } from '../../../service-tier.ts';
import { nameOutputCap } from '../../output-cap.ts';
import { WIRE } from '../../shape.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** OpenAI needs a name for every schema. */
const SCHEMA_NAME = 'response';

const encodeOutput = (output: OutputFormat | undefined): JsonObject => {
  if (output === undefined) return {};
  if (output.type === 'json') return { response_format: { type: 'json_object' } };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return {
    response_format: { type: 'json_schema', json_schema: omitUndefined({ name, description, schema, strict }) },
  };
};

const encodeReasoning = ({ reasoning }: GenerateRequest, lose: Lose): JsonObject => {
  if (reasoning === undefined) return {};
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'chat-completions takes an effort, not a number of tokens');
  if (show === true)
    lose(
      'reasoning.show',
      'approximated',
      'chat-completions cannot ask for the reasoning; it comes where the provider shows it',
    );
  return omitUndefined({ reasoning_effort: effort });
};

/** A vendor of this wire knows `top_k`; OpenAI's own definition does not, so it returns only where the client used it. */
const encodeTopK = ({ topK, wire }: GenerateRequest, lose: Lose): number | undefined => {
  if (topK === undefined || wire === WIRE) return topK;
  lose('top_k', 'dropped', 'chat-completions has no top_k');
  return undefined;
};

/** Usage is always asked for, so that it can be billed: the client's half leaves it out where nobody wanted it. */
const encodeStreaming = (stream: boolean, extra: Readonly<JsonObject>): JsonObject =>
  stream ? { stream: true, stream_options: { ...readObject(extra['stream_options']), include_usage: true } } : {};

/** mission.md: at most four on this wire. */
const MOST_STOPS = 4;
const encodeStop = (stop: readonly string[] | undefined, lose: Lose): readonly string[] | undefined => {
  if (stop !== undefined && stop.length > MOST_STOPS)
    lose('stop', 'approximated', `chat-completions takes the first ${MOST_STOPS}`);
  return stop?.slice(0, MOST_STOPS);
};

const encodeUser = ({ user, wire }: GenerateRequest, lose: Lose): string | undefined =>
  user === undefined || wire === WIRE ? user : shortenUser(user, lose);

/** https://platform.openai.com/docs/api-reference/chat/create */
export function encodeRequest(
  request: GenerateRequest,
  profile: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Record<string, string> } {
  const { stream_options: streamOptions, ...extra } = writeExtraMembers(request.extra, WIRE, lose);
  const body = omitUndefined({
    model: profile.model,
    messages: encodeTurns(request, lose),
    ...extra,
    ...encodeTools(request, lose),
    ...encodeOutput(request.output),
    [nameOutputCap(profile.capMember)]: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: encodeTopK(request, lose),
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    stop: encodeStop(request.stop, lose),
    n: request.choices > 1 ? request.choices : undefined,
    ...encodeReasoning(request, lose),
    verbosity: request.verbosity,
    user: encodeUser(request, lose),
    service_tier: encodeTier(request.serviceTier, lose),
    prompt_cache_key: request.cacheKey,
    store: request.store,
    ...encodeStreaming(request.stream, { stream_options: streamOptions }),
  });
  return { body, headers: {} };
}
