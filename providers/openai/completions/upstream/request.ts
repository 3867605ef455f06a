import { GatewayError, type GenerateRequest, type Turn } from '../../../../core/api/index.ts';
import { type Lose, omitUndefined, type TargetProfile, writeExtraMembers } from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';

const refuse = (param: string, model: string): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `The model ${model} completes one text, and '${param}' is none. Send a single message of a user with text only, ` +
      'call it at /v1/completions, or choose a model that chats.',
    { param },
  );

const textOf = ({ role, parts, extra }: Turn, index: number, model: string, lose: Lose): string => {
  if (role !== 'user') throw refuse(`messages[${index}].role`, model);
  for (const member of Object.keys(extra?.members ?? {}))
    lose(`messages[${index}].${member}`, 'dropped', 'completions has no such member');
  return parts
    .map((part, at) => {
      if (part.type !== 'text') throw refuse(`messages[${index}].content[${at}]`, model);
      for (const member of ['citations', 'proof', 'cache'] as const)
        if (part[member] !== undefined)
          lose(`messages[${index}].content[${at}].${member}`, 'dropped', 'completions has no such member');
      return part.text;
    })
    .join('');
};

/** A client of this wire can send several prompts, a client of another wire one message. */
const encodePrompt = ({ wire, turns }: GenerateRequest, model: string, lose: Lose): unknown => {
  const [text, ...others] = turns.map((turn, index) => textOf(turn, index, model, lose));
  if (others.length === 0) return text;
  if (wire !== WIRE) throw refuse('messages', model);
  return [text, ...others];
};

const loseOthers = (request: GenerateRequest, lose: Lose): void => {
  const others: Readonly<Record<string, unknown>> = {
    tool_choice: request.toolChoice,
    parallel_tool_calls: request.parallelTools,
    output: request.output,
    reasoning: request.reasoning,
    verbosity: request.verbosity,
    service_tier: request.serviceTier,
    prompt_cache_key: request.cacheKey,
    store: request.store === true ? true : undefined,
  };
  for (const [field, value] of Object.entries(others))
    if (value !== undefined) lose(field, 'dropped', 'completions has no such member');
};

/** Several prompts have as many choices each. */
const countChoices = ({ wire, choices, turns, extra }: GenerateRequest): number | undefined => {
  const { prompt } = extra.members;
  const prompts = wire !== WIRE ? 1 : Array.isArray(prompt) && Array.isArray(prompt[0]) ? prompt.length : turns.length;
  const each = choices / Math.max(1, prompts);
  return each === 1 ? undefined : each;
};

/** @throws GatewayError `unsupported_parameter` for tools, and for a conversation that is no single text */
export function encodeRequest(
  request: GenerateRequest,
  { model, refusesUsageOption = false }: TargetProfile,
  lose: Lose,
) {
  if (request.tools.length > 0) throw refuse('tools', model);
  loseOthers(request, lose);
  return {
    headers: {},
    body: omitUndefined({
      model,
      prompt: encodePrompt(request, model, lose),
      max_tokens: request.maxTokens,
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK,
      seed: request.seed,
      presence_penalty: request.presencePenalty,
      frequency_penalty: request.frequencyPenalty,
      stop: request.stop,
      n: countChoices(request),
      logprobs: request.logprobs,
      user: request.user,
      stream: request.stream ? true : undefined,
      stream_options: request.stream && !refusesUsageOption ? { include_usage: true } : undefined,
      ...writeExtraMembers(request.extra, WIRE, lose),
    }),
  };
}
