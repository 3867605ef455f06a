import { GatewayError, type GenerateRequest, type Headers, type JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  type Lose,
  loseLogprobs,
  omitUndefined,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { THREAD } from '../../client/request/references.ts';
import { splitRequestExtra } from '../../extra-members.ts';
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

const encodeTier = ({ serviceTier, wire, extra }: GenerateRequest, lose: Lose): string | undefined => {
  // `speed` is restored with the extra members.
  if (wire === WIRE && extra.members['speed'] === 'fast' && serviceTier === 'priority') return undefined;
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
  loseLogprobs(request.logprobs, lose, 'messages has no log probabilities');
};

/** An object, or `undefined` if it has no members. */
const composeObject = (members: JsonObject): JsonObject | undefined => {
  const present = omitUndefined(members);
  return Object.keys(present).length === 0 ? undefined : present;
};

/** The client's members win: `display` can be one that the canonical form does not have. */
const composeThinking = (
  whole: unknown,
  members: JsonObject,
  encoded: JsonObject | undefined,
): JsonObject | undefined => {
  if (encoded === undefined) return isObject(whole) ? whole : undefined;
  return encoded['type'] === 'disabled' ? encoded : { ...encoded, ...members };
};

/** The fits repair a conversation as if it were whole, and a thread is continued with its last messages only. */
const refuseThread = ({ vendorState = [] }: GenerateRequest): void => {
  if (!vendorState.includes(THREAD)) return;
  throw new GatewayError(
    'unsupported_parameter',
    "'thread' cannot be used for this request, which the gateway translates. Send the whole conversation instead.",
    { param: THREAD },
  );
};

/**
 * https://platform.claude.com/docs/en/api/messages/create
 * @throws GatewayError `unsupported_parameter` for a thread, and for a conversation without anything to send
 */
export function encodeRequest(
  request: GenerateRequest,
  profile: Pick<TargetProfile, 'model'>,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  refuseThread(request);
  const { 'anthropic-beta': beta, ...extra } = writeExtraMembers(request.extra, WIRE, lose);
  const { own, nested } = splitRequestExtra(extra);
  const { system, messages } = encodeTurns(request, lose);
  const { thinking, effort } = encodeReasoning(request.reasoning, request.wire, lose);
  loseUnsupported(request, lose);
  const format = request.output && { ...nested['output_config.format'], ...encodeOutputFormat(request.output, lose) };
  const body = omitUndefined({
    ...own,
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
    thinking: composeThinking(own['thinking'], nested.thinking, thinking),
    output_config: composeObject({ ...nested.output_config, effort, format }),
    metadata: composeObject({ ...nested.metadata, user_id: request.user }),
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
