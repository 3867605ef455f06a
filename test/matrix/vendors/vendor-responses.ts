import { splitInHalf } from './vendor-chat.ts';
import type { Json, Tokens } from '../wires.ts';

export type Item = Json & { readonly type: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call' };

/** A response of a responses vendor. Items have no id, status and role here, nor the constant members of text parts. */
export interface ResponsesVendorAnswer {
  readonly output: readonly Item[];
  /** The reason of an incomplete response. */
  readonly incomplete?: string;
}

export const responsesUsage = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  input_tokens: fresh + read + write,
  input_tokens_details: { cached_tokens: read, cache_write_tokens: write },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: fresh + read + write + output,
});

const head = { id: 'resp_vendor', object: 'response', created_at: 1_763_000_000, model: 'vendor-responses' };
/** The members that echo the request. */
const echo = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  store: false,
};
const prefixes: Readonly<Record<Item['type'], string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

const wholePart = (part: Json): Json =>
  part['type'] === 'output_text' ? { annotations: [], logprobs: [], ...part } : part;
const partsOf = (item: Item): readonly Json[] => ((item['content'] ?? []) as readonly Json[]).map(wholePart);
const wholeItem = (item: Item, index: number): Item & { readonly id: string } => ({
  id: `${prefixes[item.type]}_${index}`,
  ...(item.type === 'reasoning' ? {} : { status: 'completed' }),
  ...item,
  ...(item.type === 'message' ? { role: 'assistant', content: partsOf(item) } : {}),
});

const endOf = ({ output, incomplete }: ResponsesVendorAnswer, tokens: Tokens): Json => ({
  ...head,
  ...echo,
  status: incomplete === undefined ? 'completed' : 'incomplete',
  error: null,
  incomplete_details: incomplete === undefined ? null : { reason: incomplete },
  output: output.map(wholeItem),
  usage: responsesUsage(tokens),
});

export const responsesBody = (answer: ResponsesVendorAnswer, tokens: Tokens): string =>
  JSON.stringify(endOf(answer, tokens));

/** An event without its sequence number. */
type Event = Json & { readonly type: string };
const event = (name: string, members: Json): Event => ({ type: `response.${name}`, ...members });

/** The event names of a part, and the member with its content. */
const kinds: Readonly<Record<string, { readonly name: string; readonly member: string }>> = {
  output_text: { name: 'output_text', member: 'text' },
  refusal: { name: 'refusal', member: 'refusal' },
};

const partEvents = (part: Json, at: Json): readonly Event[] => {
  const { name, member } = kinds[String(part['type'])] ?? { name: 'output_text', member: 'text' };
  const tokens = (part['logprobs'] ?? []) as readonly Json[];
  const withTokens = (logprobs: readonly Json[]): Json => (name === 'output_text' ? { logprobs } : {});
  const text = String(part[member]);
  const halves = splitInHalf(text);
  return [
    event('content_part.added', { ...at, part: { ...part, [member]: '', ...withTokens([]) } }),
    ...halves.map((delta, index) =>
      event(`${name}.delta`, {
        ...at,
        delta,
        ...withTokens(tokens.slice(index, index === halves.length - 1 ? undefined : index + 1)),
      }),
    ),
    event(`${name}.done`, { ...at, [member]: text, ...withTokens(tokens) }),
    event('content_part.done', { ...at, part }),
  ];
};

const summaryEvents = (part: Json, at: Json): readonly Event[] => [
  event('reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
  ...splitInHalf(String(part['text'])).map((delta) => event('reasoning_summary_text.delta', { ...at, delta })),
  event('reasoning_summary_text.done', { ...at, text: part['text'] }),
  event('reasoning_summary_part.done', { ...at, part }),
];

const bodies: Readonly<
  Record<Item['type'], (item: Item, at: Json) => { readonly empty: Json; readonly events: readonly Event[] }>
> = {
  message: (item, at) => ({
    empty: { content: [] },
    events: partsOf(item).flatMap((part, index) => partEvents(part, { ...at, content_index: index })),
  }),
  reasoning: (item, at) => ({
    empty: { summary: [] },
    events: ((item['summary'] ?? []) as readonly Json[]).flatMap((part, index) =>
      summaryEvents(part, { ...at, summary_index: index }),
    ),
  }),
  function_call: (item, at) => ({
    empty: { arguments: '' },
    events: [
      ...splitInHalf(String(item['arguments'])).map((delta) =>
        event('function_call_arguments.delta', { ...at, delta }),
      ),
      event('function_call_arguments.done', { ...at, name: item['name'], arguments: item['arguments'] }),
    ],
  }),
  custom_tool_call: (item, at) => ({
    empty: { input: '' },
    events: [
      ...splitInHalf(String(item['input'])).map((delta) => event('custom_tool_call_input.delta', { ...at, delta })),
      event('custom_tool_call_input.done', { ...at, input: item['input'] }),
    ],
  }),
};

const itemEvents = (raw: Item, index: number): readonly Event[] => {
  const item = wholeItem(raw, index);
  const { empty, events } = bodies[item.type](raw, { item_id: item.id, output_index: index });
  const status = item.type === 'reasoning' ? {} : { status: 'in_progress' };
  return [
    event('output_item.added', { output_index: index, item: { ...item, ...empty, ...status } }),
    ...events,
    event('output_item.done', { output_index: index, item }),
  ];
};

const eventsOf = (answer: ResponsesVendorAnswer, tokens: Tokens): readonly Event[] => {
  const begun = {
    ...head,
    ...echo,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  return [
    event('created', { response: begun }),
    event('in_progress', { response: begun }),
    ...answer.output.flatMap(itemEvents),
    event(answer.incomplete === undefined ? 'completed' : 'incomplete', { response: endOf(answer, tokens) }),
  ];
};

export const responsesFrame = (members: Event, number: number): string =>
  `event: ${members.type}\ndata: ${JSON.stringify({ ...members, sequence_number: number })}\n\n`;
export const responsesFrames = (answer: ResponsesVendorAnswer, tokens: Tokens): readonly string[] =>
  eventsOf(answer, tokens).map(responsesFrame);

/** The end of a stream that failed. */
export const responsesFailure = (code: string, message: string): Event =>
  event('failed', {
    response: {
      ...head,
      ...echo,
      status: 'failed',
      error: { code, message },
      incomplete_details: null,
      output: [],
      usage: null,
    },
  });
