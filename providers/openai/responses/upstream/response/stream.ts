import {
  createKeptLimit,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  GatewayError,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  lookUp,
  parseJson,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/index.ts';

import { readUsage } from '../../usage.ts';
import { readResponseFinish, readFinalResponse } from './final-response.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { createItems } from './items.ts';
import { readTextEvent, type TextEvent } from './text-events.ts';

/** What a frame of this wire that is no JSON object means. */
export const malformed = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent a frame that is not a JSON object.');
export const truncated = (): GatewayError => new GatewayError('upstream_truncated');

/** Written behind the last event by some servers. */
const DONE = '[DONE]';

/** The name of an event stands in its data; the line before may be missing, and so may the member. */
export const typeOf = (event: Readonly<JsonObject>, frame: Frame): string =>
  readText(event['type']) || (frame.event ?? '');

/** An error outside any response: as this wire's own event, or in the way of the chat wire. */
export function readErrorEvent(event: JsonObject, type: string): GatewayError | undefined {
  if (type === 'error') return decodeEmbeddedError(holdsError(event) ? event : { error: event });
  return type === '' && holdsError(event) ? decodeEmbeddedError(event) : undefined;
}

/**
 * Events as they are defined at https://platform.openai.com/docs/api-reference/responses-streaming, read by what they say:
 * `done` events repeat, unknown ones are passed over, and what no delta said is taken from the finished item, or from the final response.
 */
export function decodeStream(context: ReadContext): EventDecoder {
  const keep = createKeptLimit();
  const items = createItems(context, keep);
  let started = false;
  let over = false;

  const start = (response: Readonly<JsonObject>, emit: EmitEvent) => {
    if (started) return;
    started = true;
    const id = readText(response['id']);
    const model = readText(response['model']);
    emit({ type: 'response-start', ...(id === '' ? {} : { id }), ...(model === '' ? {} : { model }) });
  };
  const fail = (error: GatewayError, emit: EmitEvent) => {
    over = true;
    emit({ type: 'error', error });
  };
  const count = (response: Readonly<JsonObject>, emit: EmitEvent) => {
    const usage = readUsage(response['usage'], response['service_tier']);
    if (usage !== undefined) emit({ type: 'usage', usage });
  };
  const begin = (event: JsonObject, emit: EmitEvent) => start(readObject(event['response']), emit);
  const finish = (event: JsonObject, emit: EmitEvent, type: string) => {
    const response = readFinalResponse(event, type);
    start(response, emit);
    if (isFailed(response)) {
      count(response, emit);
      fail(decodeFailure(response), emit);
      return;
    }
    items.close(readList(response['output']), emit);
    emit({ type: 'choice-end', choice: 0, finish: readResponseFinish(response, items.held) });
    count(response, emit);
    over = true;
    emit({ type: 'response-end' });
  };

  const handlers: Readonly<Record<string, (event: JsonObject, emit: EmitEvent, type: string) => void>> = {
    'response.created': begin,
    'response.queued': begin,
    'response.in_progress': begin,
    'response.output_item.added': (event, emit) => {
      start({}, emit);
      if (isObject(event['item'])) items.add(event, event['item'], emit);
    },
    'response.output_item.done': (event, emit) => {
      start({}, emit);
      if (isObject(event['item'])) items.finish(event, event['item'], emit);
    },
    'response.output_text.annotation.added': (event, emit) => {
      const index = event['content_index'];
      start({}, emit);
      keep(KEPT_ENTRY);
      if (isObject(event['annotation']))
        items
          .find(event, 'text', emit)
          ?.annotate?.({ kind: 'text', index: typeof index === 'number' ? index : 0 }, event['annotation']);
    },
    'response.completed': finish,
    'response.incomplete': finish,
    'response.failed': finish,
    'response.cancelled': finish,
  };
  const say = ({ slot, text, whole }: TextEvent, event: JsonObject, emit: EmitEvent) => {
    start({}, emit);
    keep(text.length);
    const reader = items.find(event, slot.kind, emit);
    if (whole) reader?.complete(slot, text, emit);
    else reader?.write(slot, text, emit);
  };
  const read = (type: string, event: JsonObject, emit: EmitEvent) => {
    const piece = readTextEvent(type, event);
    if (piece === undefined) lookUp(handlers, type)?.(event, emit, type);
    else say(piece, event, emit);
  };

  return {
    push: (frame, emit) => {
      if (over || frame.data === '' || frame.data === DONE) return;
      const event = parseJson(frame.data);
      if (!isObject(event)) {
        fail(malformed(), emit);
        return;
      }
      const type = typeOf(event, frame);
      const error = readErrorEvent(event, type);
      if (error === undefined) read(type, event, emit);
      else fail(error, emit);
    },
    end: (emit) => {
      if (!over) fail(truncated(), emit);
    },
  };
}
