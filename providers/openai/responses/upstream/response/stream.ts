import type { GatewayError, JsonObject, Usage } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  type ChoiceWriter,
  createBufferLimit,
  createEventDecoder,
  type EventDecoder,
  type EventWriter,
  type Frame,
  type FrameReader,
  isObject,
  lookUp,
  type Lose,
  loseUnread,
  malformedFrame,
  parseJson,
  type ReadContext,
  readList,
  readLogprobs,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { readFinalResponse, readResponseFinish } from '../../finish.ts';
import type { Slot } from './item-readers.ts';
import { Items } from './items.ts';
import { responseMembers } from './response.ts';

interface TextEventType {
  readonly kind: Slot['kind'];
  /** The member that holds the text. */
  readonly member: string;
  /** The member that holds the index of the slot. */
  readonly index?: 'content_index' | 'summary_index';
  /** The event repeats the whole text after its deltas. */
  readonly whole?: true;
}

const content = 'content_index';
const summary = 'summary_index';

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const types: Readonly<Record<string, TextEventType>> = {
  'response.output_text.delta': { kind: 'text', member: 'delta', index: content },
  'response.output_text.done': { kind: 'text', member: 'text', index: content, whole: true },
  'response.refusal.delta': { kind: 'refusal', member: 'delta', index: content },
  'response.refusal.done': { kind: 'refusal', member: 'refusal', index: content, whole: true },
  'response.reasoning_summary_text.delta': { kind: 'summary', member: 'delta', index: summary },
  'response.reasoning_summary_text.done': { kind: 'summary', member: 'text', index: summary, whole: true },
  'response.reasoning_text.delta': { kind: 'reasoning', member: 'delta', index: content },
  'response.reasoning_text.done': { kind: 'reasoning', member: 'text', index: content, whole: true },
  'response.function_call_arguments.delta': { kind: 'input', member: 'delta' },
  'response.function_call_arguments.done': { kind: 'input', member: 'arguments', whole: true },
  'response.custom_tool_call_input.delta': { kind: 'input', member: 'delta' },
  'response.custom_tool_call_input.done': { kind: 'input', member: 'input', whole: true },
};

/** Text of an item, as an event brings it. */
export interface TextEvent {
  readonly slot: Slot;
  readonly text: string;
  /** A `done` event: all of the text, which deltas brought before. */
  readonly whole: boolean;
}

/** `undefined` for an event without text. */
export function readTextEvent(type: string, event: Readonly<JsonObject>): TextEvent | undefined {
  const known = lookUp(types, type);
  if (known === undefined) return undefined;
  const index = known.index === undefined ? undefined : event[known.index];
  return {
    slot: { kind: known.kind, index: typeof index === 'number' ? index : 0 },
    text: readText(event[known.member]),
    whole: known.whole === true,
  };
}

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
class ResponseReader implements FrameReader {
  readonly #events: EventWriter;
  readonly #answer: ChoiceWriter;
  readonly #keep = createBufferLimit();
  readonly #items: Items;
  readonly #lose: Lose;

  constructor(context: ReadContext, events: EventWriter) {
    this.#events = events;
    this.#answer = events.choice(0);
    this.#items = new Items(context, this.#answer, this.#keep);
    this.#lose = context.lose;
  }

  push(frame: Frame): void {
    if (frame.data === DONE) return;
    const event = parseJson(frame.data);
    if (!isObject(event)) throw malformedFrame();
    const type = typeOf(event, frame);
    const error = readErrorEvent(event, type);
    if (error !== undefined) throw error;
    const text = readTextEvent(type, event);
    if (text === undefined) this.#read(type, event);
    else this.#readText(text, event);
  }

  #read(type: string, event: JsonObject): void {
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#start(readObject(event['response']));
      case 'response.output_item.added':
        if (isObject(event['item'])) this.#items.add(event, event['item']);
        return;
      case 'response.output_item.done':
        if (isObject(event['item'])) this.#items.finish(event, event['item']);
        return;
      case 'response.output_text.annotation.added':
        return this.#annotate(event);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#finish(readFinalResponse(event, type));
      default:
    }
  }

  #start(response: Readonly<JsonObject>): void {
    this.#events.start({ id: readText(response['id']), model: readText(response['model']) });
  }

  #readText({ slot, text, whole }: TextEvent, event: JsonObject): void {
    this.#keep(text.length);
    const reader = this.#items.find(event, slot.kind);
    const tokens = readLogprobs(event['logprobs']);
    if (whole) reader?.complete(slot, text, tokens);
    else reader?.write(slot, text, tokens);
  }

  #annotate(event: JsonObject): void {
    const { content_index: index, annotation } = event;
    this.#keep(BUFFERED_ENTRY_COST);
    if (!isObject(annotation)) return;
    const slot = { kind: 'text', index: typeof index === 'number' ? index : 0 } as const;
    this.#items.find(event, slot.kind)?.annotate?.(slot, annotation);
  }

  #finish(response: Readonly<JsonObject>): void {
    this.#start(response);
    if (isFailed(response)) {
      this.#events.usage(this.#readUsage(response));
      throw decodeFailure(response);
    }
    loseUnread(response, responseMembers, this.#lose);
    this.#items.close(readList(response['output']));
    this.#answer.finish(readResponseFinish(response, this.#items.held, this.#lose));
    this.#events.usage(this.#readUsage(response));
    this.#events.end();
  }

  #readUsage(response: Readonly<JsonObject>): Usage | undefined {
    return readUsage(response, countSearches(response, this.#items.searches));
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => new ResponseReader(context, events));
