import type { JsonObject } from '../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  createBufferLimit,
  createEventDecoder,
  emptyResponse,
  isObject,
  loseUnread,
  malformedFrame,
  parseJson,
  readObject,
  type ChoiceWriter,
  type EventDecoder,
  type EventWriter,
  type Frame,
  type FrameReader,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import { EXCEPTION } from '../../event-stream/framings.ts';
import { readFinish } from '../finish.ts';
import { readUsage } from '../usage.ts';
import { openByDelta, openStarted, type BlockContext, type OpenBlock } from './block-reader.ts';
import { decodeException } from './error.ts';

const stopMembers: ReadonlySet<string> = new Set(['stopReason', 'additionalModelResponseFields', 'p']);
/** `metrics` and `performanceConfig` describe the call, `p` is padding. */
const metadataMembers: ReadonlySet<string> = new Set(['usage', 'serviceTier', 'p']);

const indexOf = ({ contentBlockIndex: index }: JsonObject): number => (typeof index === 'number' ? index : 0);

/** One stream of ConverseStream. Each event type has one method. */
class StreamReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;
  readonly #answer: ChoiceWriter;
  readonly #open = new Map<number, OpenBlock>();
  readonly #keep = createBufferLimit();
  /** The `messageStop`, which usage and trace follow. */
  #stop: JsonObject | undefined;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
    this.#answer = events.choice(0);
  }

  push({ event: name, data }: Frame): void {
    const event = parseJson(data);
    if (!isObject(event)) throw malformedFrame();
    switch (name) {
      case 'messageStart':
        return this.#events.start();
      case 'contentBlockStart':
        return this.#startBlock(event);
      case 'contentBlockDelta':
        return this.#readDelta(event);
      case 'contentBlockStop':
        return this.#stopBlock(indexOf(event));
      case 'messageStop':
        this.#stop = event;
        return loseUnread(event, stopMembers, this.#context.lose);
      case 'metadata':
        return this.#readMetadata(event);
      case EXCEPTION:
        throw decodeException(event);
      default:
      // Event types that this version does not know are skipped.
    }
  }

  /** A stream whose `metadata` is missing is complete, without usage. */
  end(): void {
    if (this.#stop !== undefined) this.#finish(this.#stop);
  }

  /** Some servers announce texts too, with an empty start: their first delta opens them. */
  #startBlock(event: JsonObject): void {
    const start = readObject(event['start']);
    if (Object.keys(start).length === 0) return;
    const index = indexOf(event);
    this.#stopBlock(index);
    this.#open.set(index, openStarted(start, this.#blockContext(index)));
  }

  #readDelta(event: JsonObject): void {
    const { delta } = event;
    if (!isObject(delta)) return;
    const index = indexOf(event);
    let block = this.#open.get(index);
    if (block === undefined) {
      block = openByDelta(delta, this.#blockContext(index));
      this.#open.set(index, block);
    }
    block.delta(delta);
  }

  #blockContext(index: number): BlockContext {
    this.#keep(BUFFERED_ENTRY_COST);
    return { answer: this.#answer, index, context: this.#context, keep: this.#keep };
  }

  #stopBlock(index: number): void {
    this.#open.get(index)?.stop();
    this.#open.delete(index);
  }

  #readMetadata(event: JsonObject): void {
    const { usage, serviceTier, trace } = event;
    this.#events.start();
    loseUnread(event, metadataMembers, this.#context.lose);
    if (isObject(usage)) this.#events.usage(readUsage(usage, readObject(serviceTier)['type']));
    if (this.#stop !== undefined) this.#finish({ ...this.#stop, trace });
  }

  #finish(stop: JsonObject): void {
    for (const index of this.#open.keys()) this.#stopBlock(index);
    if (this.#answer.count === 0 && typeof stop['stopReason'] !== 'string') throw emptyResponse();
    this.#answer.finish(readFinish(stop, this.#context.lose));
    this.#events.end();
  }
}

/**
 * Decodes the stream of this wire. Texts have no start event. Usage and trace come in `metadata`, after `messageStop`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => new StreamReader(context, events));
