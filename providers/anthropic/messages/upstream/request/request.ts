import type { GenerateRequest, Headers, JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  type Lose,
  omitUndefined,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import { chooseVersion } from '../../version.ts';
import { encodeOutputFormat } from './output-format.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** Tiers of other wires as the two of this wire. */
const tierOf: Readonly<Record<string, string>> = {
  auto: 'auto',
  priority: 'auto',
  fast: 'auto',
  default: 'standard_only',
  standard: 'standard_only',
  flex: 'standard_only',
};

const encodeTier = ({ serviceTier, wire }: GenerateRequest, lose: Lose): string | undefined => {
  if (serviceTier === undefined || wire === WIRE) return serviceTier;
  const tier = lookUp(tierOf, serviceTier);
  if (tier === undefined) lose('service_tier', 'dropped', `messages has no tier '${serviceTier}'`);
  else if (serviceTier === 'flex') lose('service_tier', 'approximated', 'messages has no cheaper tier');
  return tier;
};

/** The vendor rejects stop sequences of white space. */
const encodeStop = (stop: GenerateRequest['stop'], lose: Lose): readonly string[] | undefined => {
  const sequences = stop?.filter((sequence) => sequence.trim() !== '');
  if (sequences?.length !== stop?.length) lose('stop', 'dropped', 'messages rejects stop sequences of white space');
  return sequences?.length === 0 ? undefined : sequences;
};

/** Names the canonical fields that the wire does not have. */
const loseUnsupported = (request: GenerateRequest, lose: Lose): void => {
  const unsupported = {
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    verbosity: request.verbosity,
    prompt_cache_key: request.cacheKey,
    n: request.choices > 1 ? request.choices : undefined,
    // The vendor stores nothing, so only `store: true` is lost.
    store: request.store === true ? true : undefined,
  };
  for (const [field, value] of Object.entries(unsupported))
    if (value !== undefined) lose(field, 'dropped', `messages has no ${field}`);
};

/** Merges an object of the extra members with the known members; `undefined` if the result is empty. */
const composeObject = (extra: unknown, known: JsonObject): JsonObject | undefined => {
  const joined = { ...(isObject(extra) ? extra : {}), ...omitUndefined(known) };
  return Object.keys(joined).length === 0 ? undefined : joined;
};

/**
 * The extra members hold either a whole `thinking` of a type that is not canonical, or members in addition to the known
 * ones.
 */
const composeThinking = (extra: unknown, known: JsonObject | undefined): JsonObject | undefined => {
  if (known !== undefined) return composeObject(extra, known);
  return isObject(extra) && 'type' in extra ? extra : undefined;
};

const composeConfig = (
  extra: unknown,
  effort: string | undefined,
  format: JsonObject | undefined,
): JsonObject | undefined => {
  const { format: unread, ...others } = isObject(extra) ? extra : {};
  return composeObject(others, { effort, format: format === undefined ? undefined : composeObject(unread, format) });
};

/** https://platform.claude.com/docs/en/api/messages/create */
export function encodeRequest(
  request: GenerateRequest,
  profile: Pick<TargetProfile, 'model'>,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  const { 'anthropic-beta': beta, ...extra } = writeExtraMembers(request.extra, WIRE, lose);
  const { system, messages } = encodeTurns(request, lose);
  const { thinking, effort } = encodeReasoning(request.reasoning, request.wire, lose);
  loseUnsupported(request, lose);
  const body = omitUndefined({
    ...extra,
    model: profile.model,
    system: system.length === 0 ? undefined : system,
    messages,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    stop_sequences: encodeStop(request.stop, lose),
    stream: request.stream ? true : undefined,
    ...encodeTools(request, lose),
    thinking: composeThinking(extra['thinking'], thinking),
    output_config: composeConfig(
      extra['output_config'],
      effort,
      request.output && encodeOutputFormat(request.output, lose),
    ),
    metadata: composeObject(extra['metadata'], { user_id: request.user }),
    service_tier: encodeTier(request, lose),
  });
  return {
    body,
    headers: {
      'anthropic-version': chooseVersion(request),
      ...(typeof beta === 'string' ? { 'anthropic-beta': beta } : {}),
    },
  };
}
