import type { GenerateRequest, Headers, JsonObject, Tool } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';
import { encodeTurn, losePart } from './turns.ts';

const encodeTool = ({ name, description, schema }: Tool): JsonObject => ({
  type: 'function',
  function: omitUndefined({ name, description, parameters: schema ?? { type: 'object', properties: {} } }),
});

function loseOfTool({ kind, cache, vendor }: Tool, place: string, lose: Lose): void {
  if (kind === 'hosted') lose(place, 'dropped', 'the tool runs only at its own vendor');
  if (cache?.ttl !== undefined) lose(`${place}.cache`, 'dropped', 'the vendor caches prompts by itself');
  for (const member of Object.keys(vendor ?? {}))
    lose(`${place}.${member}`, 'dropped', 'the vendor has no such member');
}

/** `strict_tools` is for all tools of a request: it is set if each of them asks for it. */
function encodeStrict(tools: readonly Tool[], lose: Lose): true | undefined {
  const strict = tools.filter((tool) => tool.strict === true);
  if (strict.length === tools.length) return true;
  if (strict.length > 0) lose('tools.strict', 'dropped', 'the vendor is strict with all tools or with none');
  return undefined;
}

/** A call can be required or forbidden, but not chosen: where the request names tools, only these are offered. */
function encodeTools({ tools, toolChoice, parallelTools }: GenerateRequest, lose: Lose): JsonObject {
  for (const [index, tool] of tools.entries()) loseOfTool(tool, `tools[${index}]`, lose);
  const only = toolChoice?.only;
  const functions = tools.filter(({ kind }) => kind !== 'hosted');
  const offered = only === undefined ? functions : functions.filter(({ name }) => only.includes(name));
  if (offered.length === 0) return {};
  if (offered.length < functions.length) lose('tool_choice', 'approximated', 'only the named tools are sent');
  if (parallelTools !== undefined) lose('parallel_tool_calls', 'dropped', 'the vendor has no such member');
  const mode = toolChoice?.mode;
  return omitUndefined({
    tools: offered.map(encodeTool),
    strict_tools: encodeStrict(offered, lose),
    tool_choice: mode === 'required' ? 'REQUIRED' : mode === 'none' ? 'NONE' : undefined,
  });
}

const MAX_STOPS = 5;

/** A number outside of the vendor's range would be refused, although other vendors allow it. */
function bound(field: string, value: number | undefined, min: number, max: number, lose: Lose): number | undefined {
  if (value === undefined || (value >= min && value <= max)) return value;
  lose(field, 'approximated', `the vendor's range is ${min} to ${max}`);
  return Math.min(max, Math.max(min, value));
}

function encodeStop({ stop }: GenerateRequest, lose: Lose): readonly string[] | undefined {
  if (stop !== undefined && stop.length > MAX_STOPS) lose('stop', 'approximated', `the first ${MAX_STOPS} are sent`);
  return stop?.slice(0, MAX_STOPS);
}

/** The vendor has no alternatives to a token. */
function encodeLogprobs({ logprobs }: GenerateRequest, lose: Lose): true | undefined {
  if (logprobs === undefined) return undefined;
  if (logprobs > 0) lose('top_logprobs', 'dropped', 'the vendor has no such member');
  return true;
}

const encodeSampling = (request: GenerateRequest, lose: Lose): JsonObject => ({
  max_tokens: request.maxTokens,
  temperature: request.temperature,
  p: bound('top_p', request.topP, 0.01, 0.99, lose),
  k: bound('top_k', request.topK, 0, 500, lose),
  seed: request.seed,
  presence_penalty: bound('presence_penalty', request.presencePenalty, 0, 1, lose),
  frequency_penalty: bound('frequency_penalty', request.frequencyPenalty, 0, 1, lose),
  stop_sequences: encodeStop(request, lose),
  logprobs: encodeLogprobs(request, lose),
});

/** Models that reason do so unless it is turned off; a budget limits it. There are no efforts. */
function encodeThinking({ reasoning }: GenerateRequest, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const { effort, budget, show } = reasoning;
  if (show === false) lose('reasoning.show', 'dropped', 'the vendor has no such member');
  if (effort === 'none' || budget === 0) return { type: 'disabled' };
  if (effort === undefined && budget === undefined) return undefined;
  if (effort !== undefined && budget === undefined)
    lose('reasoning.effort', 'approximated', 'the vendor has a token budget only');
  return omitUndefined({ type: 'enabled', token_budget: budget });
}

function encodeFormat({ output }: GenerateRequest, lose: Lose): JsonObject | undefined {
  if (output === undefined) return undefined;
  if (output.type === 'json') return { type: 'json_object' };
  for (const member of ['name', 'description'] as const)
    if (output[member] !== undefined) lose(`output.${member}`, 'dropped', 'the vendor has no such member');
  if (output.strict === false) lose('output.strict', 'approximated', 'the vendor always enforces a schema');
  return { type: 'json_object', json_schema: output.schema };
}

function loseOthers(request: GenerateRequest, lose: Lose): void {
  const others: Readonly<Record<string, unknown>> = {
    verbosity: request.verbosity,
    user: request.user,
    service_tier: request.serviceTier,
    prompt_cache_key: request.cacheKey,
    store: request.store === true ? true : undefined,
  };
  for (const [field, value] of Object.entries(others))
    if (value !== undefined) lose(field, 'dropped', 'the vendor has no such member');
}

/** https://docs.cohere.com/reference/chat */
export function encodeRequest(
  request: GenerateRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  loseOthers(request, lose);
  const messages = request.turns.flatMap((turn, index) => {
    const place = `messages[${index}]`;
    for (const [at, part] of turn.parts.entries()) losePart(part, `${place}.content[${at}]`, turn.role, lose);
    const extra = writeExtraMembers(turn.extra, WIRE, lose, `${place}.`);
    return encodeTurn(turn).map((message) => ({ ...message, ...extra }));
  });
  const body = omitUndefined({
    model,
    messages,
    ...encodeTools(request, lose),
    response_format: encodeFormat(request, lose),
    ...encodeSampling(request, lose),
    thinking: encodeThinking(request, lose),
    stream: request.stream,
    ...writeExtraMembers(request.extra, WIRE, lose),
  });
  return { headers: {}, body };
}
