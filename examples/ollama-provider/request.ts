import type { GenerateRequest, Headers, JsonObject, Part, ToolCallPart, ToolResultPart, Turn } from 'koine-gateway';
import { omitUndefined, writeExtraMembers, type Lose, type TargetProfile } from 'koine-gateway/codec';

const parseArguments = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return { input };
  }
};

const encodeCall = ({ name, input }: ToolCallPart): JsonObject => ({
  function: { name, arguments: parseArguments(input) },
});

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');

/** Images are bytes in a list of their own. A fit has already fetched those that were URLs. */
const imagesOf = (parts: readonly Part[]): readonly string[] | undefined => {
  const images = parts.flatMap((part) => (part.type === 'media' && 'base64' in part.media ? [part.media.base64] : []));
  return images.length === 0 ? undefined : images;
};

/** A tool result is a message of its own, with the name of the tool instead of the id of the call. */
function encodeResult(result: ToolResultPart, names: ReadonlyMap<string, string>): JsonObject {
  return omitUndefined({
    role: 'tool',
    tool_name: result.name ?? names.get(result.id),
    content: result.failed ? `Error: ${textOf(result.parts)}` : textOf(result.parts),
    images: imagesOf(result.parts),
  });
}

function encodeTurn({ role, parts }: Turn, names: ReadonlyMap<string, string>): readonly JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const thinking = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('');
  const content = textOf(parts);
  const images = imagesOf(parts);
  const message = omitUndefined({
    role,
    content,
    images,
    thinking: thinking === '' ? undefined : thinking,
    tool_calls: calls.length === 0 ? undefined : calls.map(encodeCall),
  });
  const isEmpty = content === '' && images === undefined && calls.length === 0;
  return [...results.map((result) => encodeResult(result, names)), ...(isEmpty ? [] : [message])];
}

const encodeFormat = ({ output }: GenerateRequest): unknown =>
  output === undefined ? undefined : output.type === 'json' ? 'json' : output.schema;

/** Effort is `low`, `medium` or `high` for some models, and on or off for the others. */
const encodeThink = ({ reasoning }: GenerateRequest): unknown =>
  reasoning === undefined ? undefined : reasoning.effort !== 'none' && reasoning.budget !== 0;

function encodeOptions(request: GenerateRequest): JsonObject {
  return omitUndefined({
    num_predict: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop: request.stop,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
  });
}

/** Members without a counterpart are named: `x-koine-losses` has them. */
function loseOthers(request: GenerateRequest, lose: Lose): void {
  const { toolChoice, output, reasoning, turns } = request;
  if (toolChoice?.mode === 'required' || toolChoice?.only !== undefined)
    lose('tool_choice', 'dropped', 'the server chooses whether to call a tool');
  const others: Readonly<Record<string, unknown>> = {
    verbosity: request.verbosity,
    user: request.user,
    service_tier: request.serviceTier,
    prompt_cache_key: request.cacheKey,
    logprobs: request.logprobs,
    store: request.store,
    parallel_tool_calls: request.parallelTools,
    'reasoning.show': reasoning?.show,
    'tools.strict': request.tools.find(({ strict }) => strict !== undefined),
    'tools.cache_control': request.tools.find(({ cache }) => cache?.ttl !== undefined),
    ...(output?.type === 'schema'
      ? { 'output.name': output.name, 'output.description': output.description, 'output.strict': output.strict }
      : {}),
  };
  for (const [field, value] of Object.entries(others))
    if (value !== undefined) lose(field, 'dropped', 'the server has no such member');
  for (const [index, { parts }] of turns.entries())
    for (const [place, part] of parts.entries()) losePart(part, `messages[${index}].content[${place}]`, lose);
}

function losePart(part: Part, place: string, lose: Lose): void {
  if (part.type === 'opaque') lose(place, 'dropped', 'the part is unknown here');
  if (part.type === 'media' && !('base64' in part.media)) lose(place, 'dropped', 'the server reads no addresses');
  if (part.type === 'media' && (part.name ?? part.detail) !== undefined)
    lose(place, 'dropped', 'an image has neither a name nor a level of detail');
  if (part.cache?.ttl !== undefined) lose(place, 'dropped', 'the server caches prompts by itself');
  if ('proof' in part && part.proof?.value !== undefined) lose(place, 'dropped', 'thoughts carry no proof');
  if (part.type === 'text' && part.citations !== undefined) lose(place, 'dropped', 'a text has no citations');
  if (part.type === 'tool-result') for (const inner of part.parts) losePart(inner, place, lose);
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion */
export function encodeRequest(
  request: GenerateRequest,
  { model, wire }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  const { turns, tools, toolChoice, stream } = request;
  const names = new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name] as const] : [])),
    ),
  );
  loseOthers(request, lose);
  const offered = toolChoice?.mode === 'none' ? [] : tools;
  return {
    headers: {},
    body: omitUndefined({
      model,
      messages: turns.flatMap((turn, index) => {
        const extra = writeExtraMembers(turn.extra, wire, lose, `messages[${index}].`);
        return encodeTurn(turn, names).map((message) => ({ ...message, ...extra }));
      }),
      tools:
        offered.length === 0
          ? undefined
          : offered.map(({ name, description, schema }) => ({
              type: 'function',
              function: omitUndefined({ name, description, parameters: schema ?? { type: 'object', properties: {} } }),
            })),
      format: encodeFormat(request),
      think: encodeThink(request),
      options: encodeOptions(request),
      stream,
      ...writeExtraMembers(request.extra, wire, lose),
    }),
  };
}
