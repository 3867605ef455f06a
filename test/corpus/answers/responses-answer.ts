import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { parseArguments, readEvents, type Answer, type Reason } from './answer.ts';
import type { CorpusLine } from '../lines.ts';

type Head = Pick<Response, 'status' | 'incomplete_details' | 'usage'>;

const usageOf = (usage: Response['usage'] | null): Answer['usage'] =>
  usage === undefined || usage === null
    ? undefined
    : {
        input: usage.input_tokens,
        cacheRead: usage.input_tokens_details?.cached_tokens ?? 0,
        output: usage.output_tokens,
        reasoning: usage.output_tokens_details?.reasoning_tokens,
      };

/** A function of a namespace has both names elsewhere; one found by a search has a namespace with its own name. */
const nameOf = ({ name, namespace }: ResponseFunctionToolCall): string =>
  !namespace || namespace === name ? name : `${namespace}__${name}`;

const callOf = (item: ResponseOutputItem): Answer['calls'] => {
  if (item.type === 'function_call') return [{ name: nameOf(item), input: parseArguments(item.arguments) }];
  return item.type === 'custom_tool_call' ? [{ name: item.name, input: { input: item.input } }] : [];
};

const partsOf = (output: readonly ResponseOutputItem[]) =>
  output.flatMap((item) => (item.type === 'message' ? item.content : []));

/** The summaries of reasoning, or the reasoning itself, which open models show. */
const reasoningOf = (item: ResponseOutputItem): string => {
  if (item.type !== 'reasoning') return '';
  const summary = item.summary.map(({ text }) => text).join('');
  return summary === '' ? (item.content ?? []).map(({ text }) => text).join('') : summary;
};

const reasonOf = ({ status, incomplete_details: details }: Head, called: boolean, refused: boolean): Reason => {
  if (status === 'failed' || status === 'cancelled') return 'error';
  if (status === 'queued' || status === 'in_progress') return 'pause';
  if (status === 'incomplete')
    return details?.reason === 'max_output_tokens'
      ? 'length'
      : details?.reason === 'content_filter'
        ? 'content_filter'
        : 'stop';
  if (called) return 'tool_calls';
  return refused ? 'refusal' : 'stop';
};

const finished = (output: readonly ResponseOutputItem[], head: Head): Answer => {
  const calls = output.flatMap(callOf);
  const parts = partsOf(output);
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('');
  return {
    text: parts.map((part) => (part.type === 'output_text' ? (part.text ?? '') : '')).join(''),
    refusal,
    explanation: '',
    reasoning: output.map(reasoningOf).join(''),
    calls,
    finish: head.status === 'incomplete' ? `incomplete:${head.incomplete_details?.reason}` : String(head.status),
    reason: reasonOf(head, calls.length > 0, refusal !== ''),
    usage: usageOf(head.usage),
  };
};

/** A response, as the SDK returns it or as it was recorded. */
export const readResponse = (response: Response): Answer => finished(response.output, response);

/** A text can end with more than its deltas brought. Where a recording ends with other text, the deltas count. */
const join = (pieces: string, whole: string): string => (whole.startsWith(pieces) ? whole : pieces);

const withText = (item: ResponseOutputItem, streamed: (part: number) => string): ResponseOutputItem =>
  item.type === 'message'
    ? {
        ...item,
        content: item.content.map((part, index) =>
          part.type === 'output_text' ? { ...part, text: join(streamed(index), part.text) } : part,
        ),
      }
    : item;

/** A recorded stream: its finished items in order, and the response of its last event. */
const readResponseEvents = (events: readonly ResponseStreamEvent[]): Answer => {
  const items = new Map<number, ResponseOutputItem>();
  const streamed = new Map<string, string>();
  let last: Response | undefined;
  for (const event of events) {
    // llama.cpp sends no index.
    if (event.type === 'response.output_item.done') items.set(event.output_index ?? items.size, event.item);
    if (event.type === 'response.output_text.delta') {
      const place = `${event.output_index}/${event.content_index}`;
      streamed.set(place, (streamed.get(place) ?? '') + event.delta);
    }
    if ('response' in event) last = event.response;
  }
  if (last === undefined) throw new Error('the stream has no response');
  const done = [...items]
    .toSorted(([left], [right]) => left - right)
    .map(([place, item]) => withText(item, (part) => streamed.get(`${place}/${part}`) ?? ''));
  return finished(done.length === 0 ? last.output : done, last);
};

export const readRecordedResponse = ({ response }: CorpusLine): Answer =>
  response.sse === undefined
    ? readResponse(response.body as unknown as Response)
    : readResponseEvents(readEvents(response.sse) as unknown as ResponseStreamEvent[]);
