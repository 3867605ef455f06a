import { GatewayError, type Finish, type JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  emptyResponse,
  isObject,
  loseUnread,
  BUFFERED_ENTRY_COST,
  lookUp,
  malformedFrame,
  parseJson,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  type ReadContext,
} from '../../../../../core/api/codec.ts';
import { readFinish } from '../../finish-reason.ts';
import { mergeUsage, METRICS, readLateCaches, readUsage } from '../../usage.ts';
import { openBlock, type OpenBlock } from './block-reader.ts';
import { decodeErrorBody } from './error.ts';
import { messageMembers } from './response.ts';
import { hasVisibleContent, visibleMembers } from './visible-content.ts';

/** The block that a delta opens when its start is missing: some vendors of this wire omit `content_block_start`. */
const blockOfDelta: Readonly<Record<string, JsonObject>> = {
  text_delta: { type: 'text' },
  thinking_delta: { type: 'thinking' },
};

const deltaMembers: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

const indexOf = ({ index }: JsonObject): number => (typeof index === 'number' ? index : 0);

/** One stream of this wire. Each event type has one method. */
class StreamDecoder implements EventDecoder {
  readonly #context: ReadContext;
  readonly #open = new Map<number, OpenBlock>();
  readonly #keep = createBufferLimit();
  #parts = 0;
  #started = false;
  #ended = false;
  #hasContent = false;
  #usage: JsonObject = {};
  #finish: Finish | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  push(frame: Frame, emit: EmitEvent): void {
    if (this.#ended || frame.data === '' || frame.data === '[DONE]') return;
    const event = parseJson(frame.data);
    if (isObject(event)) this.#readEvent(typeof event['type'] === 'string' ? event['type'] : frame.event, event, emit);
    else this.#fail(malformedFrame(), emit);
  }

  end(emit: EmitEvent): void {
    if (!this.#ended) this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  #readEvent(type: string | undefined, event: JsonObject, emit: EmitEvent): void {
    switch (type) {
      case 'message_start':
        return this.#startMessage(event, emit);
      case 'content_block_start':
        return this.#startBlock(event, emit);
      case 'content_block_delta':
        return this.#readDelta(event, emit);
      case 'content_block_stop':
        return this.#stopBlock(indexOf(event), emit);
      case 'message_delta':
        return this.#readMessageDelta(event, emit);
      case 'message_stop':
        return this.#stopMessage(event, emit);
      case 'error':
        return this.#fail(decodeErrorBody(event), emit);
      default:
      // Pings and event types that this version does not know are skipped.
    }
  }

  #startMessage({ message }: JsonObject, emit: EmitEvent): void {
    if (this.#started || !isObject(message)) return;
    this.#startResponse(emit, message);
    loseUnread(message, messageMembers, this.#context.lose);
    this.#readUsage(message['usage'], emit);
    this.#readFinish(message);
    // A response that continues after a server tool paused can arrive whole in its start event.
    if (Array.isArray(message['content']))
      message['content'].filter(isObject).forEach((block, index) => this.#openBlock(index, block, emit).stop(emit));
    this.#open.clear();
  }

  #startBlock(event: JsonObject, emit: EmitEvent): void {
    if (isObject(event['content_block'])) this.#openBlock(indexOf(event), event['content_block'], emit);
  }

  #readDelta(event: JsonObject, emit: EmitEvent): void {
    const { delta } = event;
    if (!isObject(delta)) return;
    const index = indexOf(event);
    const missing = typeof delta['type'] === 'string' ? lookUp(blockOfDelta, delta['type']) : undefined;
    const block = this.#open.get(index) ?? (missing === undefined ? undefined : this.#openBlock(index, missing, emit));
    this.#hasContent ||= block !== undefined && visibleMembers(delta).length > 0;
    block?.delta(delta, emit);
  }

  #stopBlock(index: number, emit: EmitEvent): void {
    this.#open.get(index)?.stop(emit);
    this.#open.delete(index);
  }

  #readMessageDelta(event: JsonObject, emit: EmitEvent): void {
    const { delta, usage } = event;
    loseUnread(event, deltaMembers, this.#context.lose);
    if (isObject(delta)) {
      loseUnread(delta, messageMembers, this.#context.lose);
      this.#readFinish(delta);
    }
    this.#readUsage(usage, emit);
  }

  #stopMessage(event: JsonObject, emit: EmitEvent): void {
    if (!this.#hasContent && this.#finish === undefined) return this.#fail(emptyResponse(), emit);
    this.#ended = true;
    this.#startResponse(emit);
    if (METRICS in event) this.#readUsage(readLateCaches(this.#usage, event[METRICS]), emit);
    for (const index of this.#open.keys()) this.#stopBlock(index, emit);
    emit({ type: 'choice-end', choice: 0, finish: this.#finish ?? { reason: 'stop' } });
    emit({ type: 'response-end' });
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#ended = true;
    emit({ type: 'error', error });
  }

  #startResponse(emit: EmitEvent, { id, model }: JsonObject = {}): void {
    if (this.#started) return;
    this.#started = true;
    emit({
      type: 'response-start',
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { model } : {}),
    });
  }

  #openBlock(index: number, block: JsonObject, emit: EmitEvent): OpenBlock {
    this.#startResponse(emit);
    this.#open.get(index)?.stop(emit);
    this.#keep(BUFFERED_ENTRY_COST);
    this.#hasContent ||= hasVisibleContent(block);
    const opened = openBlock(block, { part: this.#parts, index, context: this.#context, keep: this.#keep }, emit);
    this.#parts += 1;
    this.#open.set(index, opened);
    return opened;
  }

  #readUsage(usage: unknown, emit: EmitEvent): void {
    if (!isObject(usage)) return;
    this.#startResponse(emit);
    this.#usage = mergeUsage(this.#usage, usage);
    emit({ type: 'usage', usage: readUsage(this.#usage) });
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
export const decodeStream = (context: ReadContext): EventDecoder => new StreamDecoder(context);
