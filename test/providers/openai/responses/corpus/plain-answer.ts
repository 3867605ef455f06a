import type { GenerateResponse, JsonObject } from '../../../../../core/api/index.ts';

/**
 * A response reduced to what a user gets: read here from recorded JSON, and in {@link summarise} from the canonical
 * form.
 */
export interface PlainAnswer {
  readonly text: string;
  readonly refusal: string;
  readonly thought: string;
  readonly proofs: readonly string[];
  readonly calls: readonly (readonly [id: string, name: string, input: unknown])[];
  /** Types of items that only this wire defines. */
  readonly others: readonly unknown[];
  readonly addresses: readonly unknown[];
  readonly finish: string;
  readonly usage:
    | { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
    | undefined;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const parse = (input: string): unknown => {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return input;
  }
};

const itemsOf = (output: readonly JsonObject[], ...types: readonly string[]) =>
  output.filter(({ type }) => types.includes(text(type)));
const thoughtOf = (item: JsonObject): string => {
  const said = (list: unknown) =>
    objects(list)
      .map((entry) => text(entry['text']))
      .filter(Boolean)
      .join('\n\n');
  return said(item['summary']) || said(item['content']);
};
/** A tool that was loaded on its own has a namespace with its name. */
const nameOf = (item: JsonObject): string =>
  [...new Set([text(item['namespace']), text(item['name'])])].filter(Boolean).join('__');

const finishOf = (answer: JsonObject, output: readonly JsonObject[]): string => {
  const { status } = answer;
  const reason = member(answer['incomplete_details'], 'reason');
  if (status === 'incomplete')
    return reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'content_filter' : 'stop';
  if (status === 'queued' || status === 'in_progress') return 'pause';
  if (itemsOf(output, 'function_call', 'custom_tool_call').length > 0) return 'tool_calls';
  return contentsOf(output).some(({ type }) => type === 'refusal') ? 'refusal' : 'stop';
};
const contentsOf = (output: readonly JsonObject[]) =>
  itemsOf(output, 'message').flatMap((item) => objects(item['content']));

const usageOf = (usage: unknown): PlainAnswer['usage'] => {
  if (!isObject(usage)) return undefined;
  const count = (value: unknown) => Number(value ?? 0);
  const input = usage['input_tokens_details'];
  const cached = count(member(input, 'cached_tokens'));
  return {
    input: count(usage['input_tokens']),
    cached,
    output: count(usage['output_tokens']),
    reasoning: count(member(usage['output_tokens_details'], 'reasoning_tokens')),
  };
};

/** The final response object of this wire. */
export const readPlain = (answer: JsonObject, output = objects(answer['output'])): PlainAnswer => ({
  text: contentsOf(output)
    .map((content) => (content['type'] === 'output_text' ? text(content['text']) : ''))
    .join(''),
  refusal: contentsOf(output)
    .map((content) => text(content['refusal']))
    .join(''),
  thought: itemsOf(output, 'reasoning').map(thoughtOf).join(''),
  proofs: itemsOf(output, 'reasoning')
    .map((item) => text(item['encrypted_content']))
    .filter(Boolean),
  calls: itemsOf(output, 'function_call', 'custom_tool_call').map((item) => [
    text(item['call_id']),
    nameOf(item),
    parse(text(item['arguments'] ?? item['input'])),
  ]),
  others: output
    .map(({ type }) => type)
    .filter((type) => !['message', 'reasoning', 'function_call', 'custom_tool_call'].includes(text(type))),
  addresses: contentsOf(output)
    .flatMap((content) => objects(content['annotations']))
    .map(({ url }) => url),
  finish: finishOf(answer, output),
  usage: usageOf(answer['usage']),
});

/** The events of a stream: the data lines, read without the framing. */
export const eventsOf = (stream: string): readonly JsonObject[] =>
  stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as JsonObject);

/** Blobs differ whenever an item is repeated. That of the finished item counts, which comes first. */
const blobs = ['encrypted_content', 'fingerprint'] as const;
const resealed = (item: JsonObject, done: readonly JsonObject[]): JsonObject => {
  const first = done.find(({ id }) => id === item['id']) ?? {};
  return {
    ...item,
    ...Object.fromEntries(blobs.flatMap((name) => (name in item && name in first ? [[name, first[name]]] : []))),
  };
};

/** In one shortened recording the deltas are no prefix of the text, and cannot be corrected. */
const reworded = (item: JsonObject, events: readonly JsonObject[]): JsonObject => {
  const said = events
    .filter((event) => event['type'] === 'response.output_text.delta' && event['item_id'] === item['id'])
    .map(({ delta }) => text(delta))
    .join('');
  const [only, ...others] = objects(item['content']);
  return item['type'] !== 'message' || only === undefined || others.length > 0 || text(only['text']).startsWith(said)
    ? item
    : { ...item, content: [{ ...only, text: said }] };
};

/** The response of the last event of a successful stream. Without output in it, the finished items count. */
export const readPlainStream = (
  events: readonly JsonObject[],
): { readonly answer: JsonObject; readonly plain: PlainAnswer } | undefined => {
  const last = events.findLast(({ type }) => type === 'response.completed' || type === 'response.incomplete');
  if (!isObject(last?.['response'])) return undefined;
  const done = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item)
    .filter(isObject);
  const final = objects(last['response']['output']);
  const output = (final.length === 0 ? done : final).map((item) => reworded(resealed(item, done), events));
  const answer = { ...last['response'], output };
  return { answer, plain: readPlain(answer) };
};

/** The same for a canonical response. */
export const summarise = ({ choices, usage }: GenerateResponse): PlainAnswer => {
  const [{ parts, finish } = { parts: [], finish: { reason: 'stop' } }] = choices;
  const joined = (type: string) =>
    parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  return {
    text: joined('text'),
    refusal: joined('refusal'),
    thought: joined('reasoning'),
    proofs: parts.flatMap((part) => (part.type === 'reasoning' && part.proof !== undefined ? [part.proof.value] : [])),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.id, part.name, parse(part.input)] as const] : [],
    ),
    others: parts.flatMap((part) => (part.type === 'opaque' ? [member(part.value, 'type')] : [])),
    addresses: parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []).map(({ url }) => url) : [])),
    finish: finish.reason,
    usage:
      usage === undefined
        ? undefined
        : {
            input: usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h,
            cached: usage.cacheRead,
            output: usage.output,
            reasoning: usage.reasoning,
          },
  };
};
