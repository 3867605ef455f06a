import { GatewayError, type JsonObject } from '../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  createBufferLimit,
  emptyResponse,
  isObject,
  loseUnread,
  malformedFrame,
  parseJson,
  readObject,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import { EXCEPTION } from '../../event-stream/framings.ts';
import { readFinish } from '../finish-reason.ts';
import { readUsage } from '../usage.ts';
import { openByDelta, openStarted, type OpenBlock } from './block-reader.ts';
import { decodeException } from './error.ts';

const stopMembers: ReadonlySet<string> = new Set(['stopReason', 'additionalModelResponseFields', 'p']);
/** `metrics` and `performanceConfig` describe the call, `p` is padding. */
const metadataMembers: ReadonlySet<string> = new Set(['usage', 'serviceTier', 'p']);

const indexOf = ({ contentBlockIndex: index }: JsonObject): number => (typeof index === 'number' ? index : 0);

/** One stream of ConverseStream. Each event type has one method. */
class StreamDecoder implements EventDecoder {
  readonly #context: ReadContext;
  readonly #open = new Map<number, OpenBlock>();
  readonly #keep = createBufferLimit();
  #parts = 0;
  #started = false;
  #ended = false;
  /** The `messageStop`, which usage and trace follow. */
  #stop: JsonObject | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  push({ event: name, data }: Frame, emit: EmitEvent): void {
    if (this.#ended || (data === '' && name === undefined)) return;
    const event = parseJson(data);
    if (isObject(event)) this.#readEvent(name, event, emit);
    else this.#fail(malformedFrame(), emit);
  }

  /** A stream whose `metadata` is missing is complete, without usage. */
  end(emit: EmitEvent): void {
    if (this.#ended) return;
    if (this.#stop === undefined) this.#fail(new GatewayError('upstream_truncated'), emit);
    else this.#finish(this.#stop, emit);
  }

  #readEvent(name: string | undefined, event: JsonObject, emit: EmitEvent): void {
    switch (name) {
      case 'messageStart':
        return this.#start(emit);
      case 'contentBlockStart':
        return this.#startBlock(event, emit);
      case 'contentBlockDelta':
        return this.#readDelta(event, emit);
      case 'contentBlockStop':
        return this.#stopBlock(indexOf(event), emit);
      case 'messageStop':
        this.#stop = event;
        return loseUnread(event, stopMembers, this.#context.lose);
      case 'metadata':
        return this.#readMetadata(event, emit);
      case EXCEPTION:
        return this.#fail(decodeException(event), emit);
      default:
      // Event types that this version does not know are skipped.
    }
  }

  #start(emit: EmitEvent): void {
    if (this.#started) return;
    this.#started = true;
    emit({ type: 'response-start' });
  }

  /** Some servers announce texts too, with an empty start: their first delta opens them. */
  #startBlock(event: JsonObject, emit: EmitEvent): void {
    const start = readObject(event['start']);
    if (Object.keys(start).length > 0) this.#openBlock(event, emit, (context) => openStarted(start, context, emit));
  }

  #readDelta(event: JsonObject, emit: EmitEvent): void {
    const { delta } = event;
    if (!isObject(delta)) return;
    const block =
      this.#open.get(indexOf(event)) ?? this.#openBlock(event, emit, (context) => openByDelta(delta, context, emit));
    block.delta(delta, emit);
  }

  #openBlock(
    event: JsonObject,
    emit: EmitEvent,
    open: (context: Parameters<typeof openByDelta>[1]) => OpenBlock,
  ): OpenBlock {
    const index = indexOf(event);
    this.#start(emit);
    this.#stopBlock(index, emit);
    this.#keep(BUFFERED_ENTRY_COST);
    const block = open({ part: this.#parts, index, context: this.#context, keep: this.#keep });
    this.#parts += 1;
    this.#open.set(index, block);
    return block;
  }

  #stopBlock(index: number, emit: EmitEvent): void {
    this.#open.get(index)?.stop(emit);
    this.#open.delete(index);
  }

  #readMetadata(event: JsonObject, emit: EmitEvent): void {
    const { usage, serviceTier, trace } = event;
    this.#start(emit);
    loseUnread(event, metadataMembers, this.#context.lose);
    if (isObject(usage)) emit({ type: 'usage', usage: readUsage(usage, readObject(serviceTier)['type']) });
    if (this.#stop !== undefined) this.#finish({ ...this.#stop, trace }, emit);
  }

  #finish(stop: JsonObject, emit: EmitEvent): void {
    if (this.#parts === 0 && typeof stop['stopReason'] !== 'string') return this.#fail(emptyResponse(), emit);
    this.#start(emit);
    for (const index of this.#open.keys()) this.#stopBlock(index, emit);
    try {
      const finish = readFinish(stop, this.#context.lose);
      emit({ type: 'choice-end', choice: 0, finish });
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      return this.#fail(thrown, emit);
    }
    this.#ended = true;
    emit({ type: 'response-end' });
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#ended = true;
    emit({ type: 'error', error });
  }
}

/**
 * Decodes the stream of this wire. Texts have no start event. Usage and trace come in `metadata`, after `messageStop`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const decodeStream = (context: ReadContext): EventDecoder => new StreamDecoder(context);
