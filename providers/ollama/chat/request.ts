import type { GenerateRequest, Headers, JsonObject } from '../../../core/api/index.ts';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from '../../../core/api/codec.ts';
import { readCallNames } from '../../../core/api/internal.ts';
import { WIRE } from './shape.ts';
import { encodeTurn, losePart } from './turns.ts';

const encodeFormat = ({ output }: GenerateRequest): unknown =>
  output === undefined ? undefined : output.type === 'json' ? 'json' : output.schema;

/** Only some models read an effort. For the others, `think` is on or off. */
function encodeThink(
  { reasoning }: GenerateRequest,
  { efforts }: TargetProfile['capabilities'],
  lose: Lose,
): string | boolean | undefined {
  if (reasoning === undefined || (reasoning.effort === undefined && reasoning.budget === undefined)) return undefined;
  const { effort, budget } = reasoning;
  if (effort === 'none' || budget === 0) return false;
  if (effort !== undefined && efforts?.includes(effort) === true) return effort;
  if (effort !== undefined) lose('reasoning.effort', 'approximated', 'the server only turns reasoning on or off');
  if (budget !== undefined) lose('reasoning.budget', 'approximated', 'the server only turns reasoning on or off');
  return true;
}

const encodeOptions = (request: GenerateRequest): JsonObject =>
  omitUndefined({
    num_predict: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop: request.stop,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
  });

const encodeTools = ({ tools, toolChoice }: GenerateRequest): readonly JsonObject[] | undefined => {
  const only = toolChoice?.only;
  const offered =
    toolChoice?.mode === 'none' ? [] : only === undefined ? tools : tools.filter(({ name }) => only.includes(name));
  return offered.length === 0
    ? undefined
    : offered.map(({ name, description, schema }) => ({
        type: 'function',
        function: omitUndefined({ name, description, parameters: schema ?? { type: 'object', properties: {} } }),
      }));
};

function loseOfTools({ tools, toolChoice, parallelTools }: GenerateRequest, lose: Lose): void {
  if (toolChoice?.mode === 'required') lose('tool_choice', 'approximated', 'the server cannot require a call');
  if (parallelTools !== undefined) lose('parallel_tool_calls', 'dropped', 'the server has no such member');
  for (const [index, { strict, cache, vendor, kind }] of tools.entries()) {
    const place = `tools[${index}]`;
    if (strict !== undefined) lose(`${place}.strict`, 'dropped', 'the server has no such member');
    if (cache?.ttl !== undefined) lose(`${place}.cache`, 'dropped', 'the server caches prompts by itself');
    if (kind === 'hosted') lose(place, 'dropped', 'the tool runs only at its own vendor');
    for (const member of Object.keys(vendor ?? {}))
      lose(`${place}.${member}`, 'dropped', 'the server has no such member');
  }
}

/** Members without a counterpart. */
function loseOthers(request: GenerateRequest, lose: Lose): void {
  const { output, reasoning } = request;
  const others: Readonly<Record<string, unknown>> = {
    verbosity: request.verbosity,
    user: request.user,
    service_tier: request.serviceTier,
    prompt_cache_key: request.cacheKey,
    store: request.store === true ? true : undefined,
    'reasoning.show': reasoning?.show === false ? false : undefined,
    ...(output?.type === 'schema'
      ? { 'output.name': output.name, 'output.description': output.description, 'output.strict': output.strict }
      : {}),
  };
  for (const [field, value] of Object.entries(others))
    if (value !== undefined) lose(field, 'dropped', 'the server has no such member');
}

/** https://docs.ollama.com/api/chat */
export function encodeRequest(
  request: GenerateRequest,
  { model, capabilities }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  const { turns, stream } = request;
  const names = readCallNames(turns);
  loseOthers(request, lose);
  loseOfTools(request, lose);
  const messages = turns.flatMap((turn, index) => {
    const place = `messages[${index}]`;
    for (const [at, part] of turn.parts.entries()) losePart(part, `${place}.content[${at}]`, lose);
    const extra = writeExtraMembers(turn.extra, WIRE, lose, `${place}.`);
    return encodeTurn(turn, names).map((message) => ({ ...message, ...extra }));
  });
  return {
    headers: {},
    body: omitUndefined({
      model,
      messages,
      tools: encodeTools(request),
      format: encodeFormat(request),
      think: encodeThink(request, capabilities, lose),
      options: encodeOptions(request),
      stream,
      logprobs: request.logprobs === undefined ? undefined : true,
      top_logprobs: request.logprobs === 0 ? undefined : request.logprobs,
      ...writeExtraMembers(request.extra, WIRE, lose),
    }),
  };
}
