import {
  GatewayError,
  type GenerateRequest,
  type Headers,
  type JsonObject,
  type OutputFormat,
  type Reasoning,
} from '../../../../../core/api/index.ts';
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
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** The lowest effort of the wire is `low`. A client of this wire gets the vendor's error. */
const encodeEffort = (effort: string | undefined, wire: string, lose: Lose): { readonly effort?: string } => {
  if (effort === undefined || effort === 'none') return {};
  if (effort !== 'minimal' || wire === WIRE) return { effort };
  lose('reasoning_effort', 'approximated', "messages has no effort 'minimal'");
  return { effort: 'low' };
};

/**
 * A budget becomes `enabled`, an effort `adaptive`. A client of this wire that did not set `show` sent an effort
 * without `thinking`, and gets that again.
 */
function encodeReasoning(reasoning: Reasoning | undefined, wire: string, lose: Lose): EncodedReasoning {
  if (reasoning === undefined) return {};
  const { budget, show } = reasoning;
  const effort = encodeEffort(reasoning.effort, wire, lose);
  if (budget === 0 || reasoning.effort === 'none') return { thinking: { type: 'disabled' }, ...effort };
  if (budget !== undefined)
    return {
      thinking: { type: 'enabled', budget_tokens: budget, ...(show === false ? { display: 'omitted' } : {}) },
      ...effort,
    };
  if (effort.effort === undefined || (wire === WIRE && show === undefined)) return effort;
  return {
    thinking: omitUndefined({
      type: 'adaptive',
      display: show === undefined ? undefined : show ? 'summarized' : 'omitted',
    }),
    ...effort,
  };
}

/** The format of `output_config`: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function encodeOutputFormat(output: OutputFormat, lose: Lose): JsonObject | undefined {
  if (output.type === 'schema') {
    // The vendor refuses a name, and the model does not read it: nothing is lost.
    const { schema, description, strict, name: _name } = output;
    if (description !== undefined)
      lose('response_format.description', 'dropped', 'messages describes a format only inside its schema');
    if (strict === false) lose('response_format.strict', 'approximated', 'messages always enforces the schema');
    return { type: 'json_schema', schema };
  }
  lose('response_format', 'dropped', 'messages has no free-form JSON');
  return undefined;
}

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
