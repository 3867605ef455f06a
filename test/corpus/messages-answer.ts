import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { parseArguments, readEvents, type Answer } from './answer.ts';
import type { CorpusLine } from './lines.ts';

const total = (usage: Message['usage']): number => (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

/** A message, as the SDK gives it or as it was recorded. */
export const readMessage = ({ content, stop_reason, usage }: Pick<Message, 'content' | 'stop_reason' | 'usage'>): Answer => ({
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
  calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
  finish: stop_reason,
  usage: { input: total(usage), cacheRead: usage.cache_read_input_tokens ?? 0, output: usage.output_tokens },
});

/** A recorded stream, put together. */
const readMessageEvents = (events: readonly RawMessageStreamEvent[]): Answer => {
  const blocks = new Map<number, { type: string; name: string; text: string; json: string }>();
  let stop: string | null = null;
  let usage: Message['usage'] | undefined;
  for (const event of events) {
    if (event.type === 'message_start') usage = event.message.usage;
    if (event.type === 'content_block_start') {
      const block = event.content_block;
      blocks.set(event.index, { type: block.type, name: 'name' in block ? block.name : '', text: block.type === 'text' ? block.text : '', json: '' });
    }
    if (event.type === 'content_block_delta') {
      const block = blocks.get(event.index);
      if (block !== undefined && event.delta.type === 'text_delta') block.text += event.delta.text;
      if (block !== undefined && event.delta.type === 'input_json_delta') block.json += event.delta.partial_json;
    }
    if (event.type === 'message_delta') {
      stop = event.delta.stop_reason;
      const late = Object.fromEntries(Object.entries(event.usage).filter(([, value]) => value !== null));
      usage = { ...usage, ...late } as Message['usage'];
    }
  }
  const all = [...blocks.values()];
  return {
    text: all.filter(({ type }) => type === 'text').map(({ text }) => text).join(''),
    calls: all.filter(({ type }) => type === 'tool_use').map(({ name, json }) => ({ name, input: parseArguments(json) })),
    finish: stop,
    usage: usage === undefined ? undefined : { input: total(usage), cacheRead: usage.cache_read_input_tokens ?? 0, output: usage.output_tokens },
  };
};

export const readRecordedMessage = ({ response }: CorpusLine): Answer =>
  response.sse === undefined ? readMessage(response.body as unknown as Message) : readMessageEvents(readEvents(response.sse) as unknown as RawMessageStreamEvent[]);
