import type { ContentBlock, Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { parseArguments, readEvents, type Answer, type Reason } from './answer.ts';
import type { CorpusLine } from '../lines.ts';

const total = (usage: Message['usage']): number =>
  (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

const usageOf = (usage: Message['usage']): Answer['usage'] => ({
  input: total(usage),
  cacheRead: usage.cache_read_input_tokens ?? 0,
  output: usage.output_tokens,
  reasoning: usage.output_tokens_details?.thinking_tokens,
});

const reasons: Readonly<Record<string, Reason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'refusal',
  pause_turn: 'pause',
  compaction: 'pause',
  model_context_window_exceeded: 'context_overflow',
};

const finished = (
  text: string,
  reasoning: string,
  calls: Answer['calls'],
  stop: string | null,
  details: Message['stop_details'] | undefined,
  usage: Answer['usage'],
): Answer => ({
  text,
  refusal: '',
  explanation: (details !== null && details !== undefined && 'explanation' in details ? details.explanation : '') ?? '',
  reasoning,
  calls,
  finish: stop ?? 'null',
  reason: reasons[stop ?? ''] ?? 'stop',
  usage,
});

/** A message, as the SDK returns it or as it was recorded. */
export const readMessage = ({
  content,
  stop_reason: stop,
  stop_details: details,
  usage,
}: Pick<Message, 'content' | 'stop_reason' | 'stop_details' | 'usage'>): Answer =>
  finished(
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
    stop,
    details,
    usageOf(usage),
  );

interface OpenBlock {
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
  text: string;
  json: string;
}
const openBlock = (block: ContentBlock): OpenBlock => ({
  type: block.type,
  name: 'name' in block ? block.name : '',
  input: 'input' in block ? block.input : {},
  text: block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '',
  json: '',
});

/** A recorded stream, accumulated. A block can start with content, or be in the message already. */
const readMessageEvents = (events: readonly RawMessageStreamEvent[]): Answer => {
  const blocks = new Map<number, OpenBlock>();
  let head: Partial<Message> = {};
  for (const event of events) {
    if (event.type === 'message_start') {
      head = event.message;
      for (const [index, block] of event.message.content.entries()) blocks.set(index, openBlock(block));
    }
    if (event.type === 'content_block_start') blocks.set(event.index, openBlock(event.content_block));
    const block = event.type === 'content_block_delta' ? blocks.get(event.index) : undefined;
    if (event.type === 'content_block_delta' && block !== undefined) {
      if (event.delta.type === 'text_delta') block.text += event.delta.text;
      if (event.delta.type === 'thinking_delta') block.text += event.delta.thinking;
      if (event.delta.type === 'input_json_delta') block.json += event.delta.partial_json;
    }
    if (event.type === 'message_delta') {
      const late = Object.fromEntries(Object.entries(event.usage).filter(([, value]) => value !== null));
      head = { ...head, ...event.delta, usage: { ...head.usage, ...late } as Message['usage'] };
    }
  }
  const all = [...blocks.values()];
  const textOf = (kind: string): string =>
    all
      .filter(({ type }) => type === kind)
      .map(({ text }) => text)
      .join('');
  return finished(
    textOf('text'),
    textOf('thinking'),
    all
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input, json }) => ({ name, input: json === '' ? input : parseArguments(json) })),
    head.stop_reason ?? null,
    head.stop_details,
    head.usage === undefined ? undefined : usageOf(head.usage),
  );
};

export const readRecordedMessage = ({ response }: CorpusLine): Answer =>
  response.sse === undefined
    ? readMessage(response.body as unknown as Message)
    : readMessageEvents(readEvents(response.sse) as unknown as RawMessageStreamEvent[]);
