import type { JsonObject } from '../../../../../core/api/index.ts';

/**
 * A request of this wire with everything said in one way only: what two bodies that mean the same have in common.
 * Written against the wire's reference alone, so that it judges the codec and does not repeat it.
 */
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));

/** A mark without a lifetime lasts 5 m. */
const plainMark = (marked: JsonObject): JsonObject =>
  isObject(marked['cache_control']) && marked['cache_control']['ttl'] === '5m'
    ? { ...marked, cache_control: { type: 'ephemeral' } }
    : marked;

const plainPart = (part: JsonObject): JsonObject => {
  const kept = plainMark(withoutNulls(part));
  if (kept['type'] !== 'image_url' || typeof kept['image_url'] !== 'string') return kept;
  return { ...kept, image_url: { url: kept['image_url'] } };
};
const plainContent = (content: unknown): unknown => {
  if (!Array.isArray(content)) return content === null || content === undefined ? '' : content;
  const parts = objects(content).map(plainPart);
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2 ? only['text'] : parts;
};

const plainCall = (call: JsonObject): JsonObject => {
  if (call['type'] === 'custom') return call;
  const { arguments: input, name } = isObject(call['function']) ? call['function'] : {};
  return {
    id: call['id'],
    name,
    input: isObject(input)
      ? JSON.stringify(input)
      : input === '' || input === null || input === undefined
        ? '{}'
        : input,
  };
};

/** The reasoning of a message in any member: its text and its proofs. */
const plainReasoning = (message: JsonObject): JsonObject => {
  const thinking = objects(message['content'])
    .filter(({ type }) => type === 'thinking')
    .flatMap((block) => objects(block['thinking']));
  const details = objects(message['reasoning_details']);
  const said = details.map((detail) => detail['text'] ?? detail['summary'] ?? '').join('');
  const text =
    said || message['reasoning_content'] || message['reasoning'] || thinking.map((piece) => piece['text']).join('');
  const proofs = details.map((detail) => detail['signature'] ?? detail['data']).filter(Boolean);
  return {
    ...(text === '' || text === undefined || text === null ? {} : { thought: text }),
    ...(proofs.length === 0 ? {} : { proofs }),
  };
};

const plainMessage = (message: JsonObject, index: number, all: readonly JsonObject[]): JsonObject => {
  const {
    content,
    tool_calls: calls,
    function_call: legacy,
    reasoning: _r,
    reasoning_content: _c,
    reasoning_details: _d,
    ...others
  } = withoutNulls(message);
  const said = Array.isArray(content)
    ? content.filter((part) => !isObject(part) || part['type'] !== 'thinking')
    : content;
  const written = [
    ...objects(calls).map(plainCall),
    ...(isObject(legacy) ? [{ ...plainCall({ function: legacy }), id: `call_legacy_${index}` }] : []),
  ];
  const role =
    message['role'] === 'function'
      ? {
          role: 'tool',
          tool_call_id: `call_legacy_${all.findLastIndex((other, at) => at < index && isObject(other['function_call']))}`,
        }
      : {};
  return {
    ...others,
    ...role,
    content: plainContent(said),
    ...plainReasoning(message),
    ...(written.length === 0 ? {} : { calls: written }),
  };
};

/** OpenAI requires a name for a schema; the codec adds one. */
const plainFormat = (format: unknown): unknown => {
  if (!isObject(format) || format['type'] === 'text') return undefined;
  return isObject(format['json_schema'])
    ? { ...format, json_schema: { name: 'response', ...format['json_schema'] } }
    : format;
};

const plainTools = (body: JsonObject): JsonObject => {
  const tools: readonly JsonObject[] = [
    ...objects(body['tools']).map((tool) => ({ type: 'function', ...tool })),
    ...objects(body['functions']).map((tool) => ({ type: 'function', function: tool })),
  ];
  if (tools.length === 0) return {};
  const legacy = isObject(body['function_call'])
    ? { type: 'function', function: body['function_call'] }
    : body['function_call'];
  const choice = body['tool_choice'] ?? legacy;
  return withoutNulls({
    tools: tools
      .map(plainMark)
      .map((tool) => (isObject(tool['function']) ? { ...tool, function: withoutNulls(tool['function']) } : tool)),
    tool_choice: choice === 'any' ? 'required' : choice,
    parallel_tool_calls: body['parallel_tool_calls'],
  });
};

const read = new Set([
  'model',
  'messages',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'stream',
  'stream_options',
  'n',
  'reasoning',
  'reasoning_effort',
  'response_format',
]);

export const plainRequest = (request: JsonObject): JsonObject => {
  const body = withoutNulls(request);
  const {
    effort,
    max_tokens: _budget,
    exclude: _exclude,
    ...reasoning
  } = isObject(body['reasoning']) ? withoutNulls(body['reasoning']) : {};
  return withoutNulls({
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !read.has(name))),
    messages: objects(body['messages']).map(plainMessage),
    ...plainTools(body),
    cap: body['max_tokens'] ?? body['max_completion_tokens'],
    stop: typeof body['stop'] === 'string' ? [body['stop']] : body['stop'],
    ...(body['stream'] === true
      ? { stream: true, stream_options: { ...(body['stream_options'] as object), include_usage: true } }
      : {}),
    n: body['n'] === 1 ? undefined : body['n'],
    effort: effort ?? body['reasoning_effort'],
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    response_format: plainFormat(body['response_format']),
  });
};
