import { GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  isObject,
  type Lose,
  loseUnread,
  malformedFrame,
  BUFFERED_ENTRY_COST,
  omitUndefined,
  parseJson,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { readFinalResponse, readResponseFinish } from './final-response.ts';
import { Items } from './items.ts';
import { responseMembers } from './response.ts';
import { readTextEvent, type TextEvent } from './text-events.ts';

/**
 * Some servers send it after the last event, where no client waits for it: the wire ends with the terminal event, and
 * so does the response of the gateway, whether or not the server keeps its connection open.
 */
export const DONE = '[DONE]';

/** The type of an event: a member of its data, else the `event:` line. Servers leave out either. */
export const typeOf = (event: Readonly<JsonObject>, frame: Frame): string =>
  readText(event['type']) || (frame.event ?? '');

/** An error outside a response: as this wire's `error` event, or in the shape of chat completions. */
export function readErrorEvent(event: JsonObject, type: string): GatewayError | undefined {
  if (type === 'error') return decodeEmbeddedError(holdsError(event) ? event : { error: event });
  return type === '' && holdsError(event) ? decodeEmbeddedError(event) : undefined;
}

/**
 * Reads the events of a stream. Text comes in deltas; what no delta brought is taken from the `done` events, the
 * finished item or the final response, which repeat it. Unknown events are skipped.
 */
class ResponseDecoder implements EventDecoder {
  readonly #keep = createBufferLimit();
  readonly #items: Items;
  readonly #lose: Lose;
  #started = false;
  #over = false;

  constructor(context: ReadContext) {
    this.#items = new Items(context, this.#keep);
    this.#lose = context.lose;
  }

  push(frame: Frame, emit: EmitEvent): void {
    if (this.#over || frame.data === '' || frame.data === DONE) return;
    const event = parseJson(frame.data);
    if (!isObject(event)) {
      this.#fail(malformedFrame(), emit);
      return;
    }
    const type = typeOf(event, frame);
    const error = readErrorEvent(event, type);
    if (error === undefined) this.#read(type, event, emit);
    else this.#fail(error, emit);
  }

  end(emit: EmitEvent): void {
    if (!this.#over) this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  #read(type: string, event: JsonObject, emit: EmitEvent): void {
    const text = readTextEvent(type, event);
    if (text !== undefined) return this.#readText(text, event, emit);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#start(readObject(event['response']), emit);
      case 'response.output_item.added':
        return this.#addItem(event, emit);
      case 'response.output_item.done':
        return this.#finishItem(event, emit);
      case 'response.output_text.annotation.added':
        return this.#annotate(event, emit);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#finish(readFinalResponse(event, type), emit);
      default:
        return undefined;
    }
  }

  #start(response: Readonly<JsonObject>, emit: EmitEvent): void {
    if (this.#started) return;
    this.#started = true;
    const id = readText(response['id']) || undefined;
    const model = readText(response['model']) || undefined;
    emit(omitUndefined({ type: 'response-start', id, model }));
  }

  #addItem(event: JsonObject, emit: EmitEvent): void {
    if (!this.#started) this.#start({}, emit);
    if (isObject(event['item'])) this.#items.add(event, event['item'], emit);
  }

  #finishItem(event: JsonObject, emit: EmitEvent): void {
    if (!this.#started) this.#start({}, emit);
    if (isObject(event['item'])) this.#items.finish(event, event['item'], emit);
  }

  #readText({ slot, text, whole }: TextEvent, event: JsonObject, emit: EmitEvent): void {
    if (!this.#started) this.#start({}, emit);
    this.#keep(text.length);
    const reader = this.#items.find(event, slot.kind, emit);
    if (whole) reader?.complete(slot, text, emit);
    else reader?.write(slot, text, emit);
  }

  #annotate(event: JsonObject, emit: EmitEvent): void {
    const { content_index: index, annotation } = event;
    if (!this.#started) this.#start({}, emit);
    this.#keep(BUFFERED_ENTRY_COST);
    if (!isObject(annotation)) return;
    const slot = { kind: 'text', index: typeof index === 'number' ? index : 0 } as const;
    this.#items.find(event, slot.kind, emit)?.annotate?.(slot, annotation);
  }

  #finish(response: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#start(response, emit);
    if (isFailed(response)) {
      this.#emitUsage(response, emit);
      this.#fail(decodeFailure(response), emit);
      return;
    }
    loseUnread(response, responseMembers, this.#lose);
    this.#items.close(readList(response['output']), emit);
    emit({ type: 'choice-end', choice: 0, finish: readResponseFinish(response, this.#items.held) });
    this.#emitUsage(response, emit);
    this.#over = true;
    emit({ type: 'response-end' });
  }

  #emitUsage(response: Readonly<JsonObject>, emit: EmitEvent): void {
    const usage = readUsage(response, countSearches(response, this.#items.searches));
    if (usage !== undefined) emit({ type: 'usage', usage });
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#over = true;
    emit({ type: 'error', error });
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const decodeStream = (context: ReadContext): EventDecoder => new ResponseDecoder(context);
