import type { Finish, JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  createBufferLimit,
  createEventDecoder,
  emptyResponse,
  isObject,
  loseUnread,
  lookUp,
  malformedFrame,
  parseJson,
  readObjects,
  readText,
  type ChoiceWriter,
  type EventDecoder,
  type EventWriter,
  type Frame,
  type FrameReader,
  type ReadContext,
} from '../../../../../core/api/codec.ts';
import { readFinish } from '../../finish.ts';
import { mergeUsage, METRICS, readLateCaches, readUsage } from '../../usage.ts';
import { hasVisibleContent, openBlock, type OpenBlock, visibleMembers } from './block-reader.ts';
import { decodeErrorBody } from './error.ts';
import { messageMembers } from './response.ts';

/** The block that a delta opens when its start is missing: some vendors of this wire omit `content_block_start`. */
const blockOfDelta: Readonly<Record<string, JsonObject>> = {
  text_delta: { type: 'text' },
  thinking_delta: { type: 'thinking' },
};

const deltaMembers: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

const indexOf = ({ index }: JsonObject): number => (typeof index === 'number' ? index : 0);

/** One stream of this wire. Each event type has one method. */
class StreamReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;
  readonly #answer: ChoiceWriter;
  readonly #open = new Map<number, OpenBlock>();
  readonly #keep = createBufferLimit();
  #started = false;
  #hasContent = false;
  #usage: JsonObject = {};
  #finish: Finish | undefined;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
    this.#answer = events.choice(0);
  }

  push(frame: Frame): void {
    if (frame.data === '[DONE]') return;
    const event = parseJson(frame.data);
    if (!isObject(event)) throw malformedFrame();
    this.#readEvent(typeof event['type'] === 'string' ? event['type'] : frame.event, event);
  }

  #readEvent(type: string | undefined, event: JsonObject): void {
    switch (type) {
      case 'message_start':
        return this.#startMessage(event);
      case 'content_block_start':
        if (isObject(event['content_block'])) this.#openBlock(indexOf(event), event['content_block']);
        return;
      case 'content_block_delta':
        return this.#readDelta(event);
      case 'content_block_stop':
        return this.#stopBlock(indexOf(event));
      case 'message_delta':
        return this.#readMessageDelta(event);
      case 'message_stop':
        return this.#stopMessage(event);
      case 'error':
        throw decodeErrorBody(event);
      default:
      // Pings and event types that this version does not know are skipped.
    }
  }

  #startMessage({ message }: JsonObject): void {
    if (this.#started || !isObject(message)) return;
    this.#started = true;
    this.#events.start({ id: readText(message['id']), model: readText(message['model']) });
    loseUnread(message, messageMembers, this.#context.lose);
    this.#readUsage(message['usage']);
    this.#readFinish(message);
    // A response that continues after a server tool paused can arrive whole in its start event.
    for (const [index, block] of readObjects(message['content']).entries()) this.#openBlock(index, block).stop();
    this.#open.clear();
  }

  #readDelta(event: JsonObject): void {
    const { delta } = event;
    if (!isObject(delta)) return;
    const index = indexOf(event);
    const missing = typeof delta['type'] === 'string' ? lookUp(blockOfDelta, delta['type']) : undefined;
    const block = this.#open.get(index) ?? (missing === undefined ? undefined : this.#openBlock(index, missing));
    this.#hasContent ||= block !== undefined && visibleMembers(delta).length > 0;
    block?.delta(delta);
  }

  #stopBlock(index: number): void {
    this.#open.get(index)?.stop();
    this.#open.delete(index);
  }

  #readMessageDelta(event: JsonObject): void {
    const { delta, usage } = event;
    loseUnread(event, deltaMembers, this.#context.lose);
    if (isObject(delta)) {
      loseUnread(delta, messageMembers, this.#context.lose);
      this.#readFinish(delta);
    }
    this.#readUsage(usage);
  }

  #stopMessage(event: JsonObject): void {
    if (!this.#hasContent && this.#finish === undefined) throw emptyResponse();
    if (METRICS in event) this.#readUsage(readLateCaches(this.#usage, event[METRICS]));
    for (const index of this.#open.keys()) this.#stopBlock(index);
    this.#answer.finish(this.#finish ?? { reason: 'stop' });
    this.#events.end();
  }

  #openBlock(index: number, block: JsonObject): OpenBlock {
    this.#open.get(index)?.stop();
    // A block of an unknown type is kept too, until its end.
    this.#keep(BUFFERED_ENTRY_COST);
    this.#hasContent ||= hasVisibleContent(block);
    const opened = openBlock(block, { answer: this.#answer, index, context: this.#context, keep: this.#keep });
    this.#open.set(index, opened);
    return opened;
  }

  #readUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    this.#usage = mergeUsage(this.#usage, usage);
    this.#events.usage(readUsage(this.#usage));
  }

  #readFinish(members: JsonObject): void {
    if (typeof members['stop_reason'] === 'string') this.#finish = readFinish(members, this.#context.lose);
  }
}

/**
 * Decodes the stream of this wire. `message_delta` can come twice, and usage is in both `message_start` and
 * `message_delta`. A stream that ends without `message_stop` is an error.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => new StreamReader(context, events));
