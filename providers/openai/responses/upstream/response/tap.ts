import {
  emptyAnswer,
  type Frame,
  FrameTemplate,
  GatewayError,
  isObject,
  type JsonObject,
  lookUp,
  omitUndefined,
  parseJson,
  readObject,
  readText,
  type Seen,
  type Tap,
  type Verdict,
  weighText,
  type WriteFrame,
} from '../../../../../core/index.ts';
import { describeFailure } from '../../client/response/error.ts';

import { readFinalResponse } from './final-response.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { readOutputText } from './output-text.ts';
import { readTextEvent, type TextEvent } from './text-events.ts';
import { isEmpty, observeEnd, observeHead, showsSomething, type Sight } from './observed.ts';
import { createPartialOutput } from './partial-output.ts';
import { malformed, readErrorEvent, truncated, typeOf } from './stream.ts';

/**
 * The vendor's bare `error` event makes clients throw, and mission.md wants every failure told by `response.failed`: so it is told anew, without
 * the vendor's frame.
 */
const forgetVendor = ({ code, message, status, failure, retryAfterMs }: GatewayError): GatewayError =>
  new GatewayError(code, message, omitUndefined({ status, failure, retryAfterMs }));

/** Items that begin empty: nothing is shown by their start. */
const beginsEmpty: ReadonlySet<string> = new Set(['message', 'reasoning']);

/** Watches the answer of a vendor that is relayed as it comes. */
export function createTap(): Tap {
  const seen: Sight = { outputChars: 0 };
  /** The response as last described, and what it said: what a failure is told with. */
  let response: Readonly<JsonObject> = {};
  const soFar = createPartialOutput();
  const template = new FrameTemplate();
  /** Of the event that the template was learned from. */
  let slot: TextEvent['slot'] = { kind: 'text', index: 0 };
  let sequence = -1;
  let content = false;
  let done = false;

  const show = (shows: boolean): Verdict => {
    content ||= shows;
    return shows ? 'content' : content ? 'pass' : 'hold';
  };
  const fail = (error: GatewayError): Verdict => {
    seen.error = error;
    return 'error';
  };
  const note = (event: JsonObject): Verdict => {
    response = readObject(event['response']);
    observeHead(seen, response);
    return show(false);
  };
  const end = (event: JsonObject, type: string): Verdict => {
    response = readFinalResponse(event, type);
    observeHead(seen, response);
    if (isFailed(response)) return fail(decodeFailure(response));
    observeEnd(seen, response, soFar.finished);
    done = true;
    return 'end';
  };

  const handlers: Readonly<Record<string, (event: JsonObject, type: string, chars: number) => Verdict>> = {
    'response.created': note,
    'response.queued': note,
    'response.in_progress': note,
    'response.output_item.added': ({ item }) => {
      if (isObject(item)) soFar.begin(item);
      if (isObject(item) && item['type'] === 'reasoning') seen.reasoned = true;
      return show(isObject(item) && !beginsEmpty.has(readText(item['type'])));
    },
    'response.output_item.done': ({ item }, _type, chars) => {
      if (isObject(item)) soFar.finish(item, chars);
      return show(isObject(item) && showsSomething(item));
    },
    'response.completed': end,
    'response.incomplete': end,
    'response.failed': end,
    'response.cancelled': end,
  };
  const learn = (frame: Frame, { obfuscation }: JsonObject, piece: TextEvent): void => {
    if (piece.whole || sequence === -1) return;
    const padding = typeof obfuscation === 'string' ? obfuscation : undefined;
    const number = { member: 'sequence_number', value: sequence };
    if (template.learn(frame, { text: piece.text, padding, number })) slot = piece.slot;
  };
  const see = (event: JsonObject, type: string, frame: Frame): Verdict => {
    if (typeof event['sequence_number'] === 'number') sequence = event['sequence_number'];
    const piece = readTextEvent(type, event);
    if (piece === undefined) return lookUp(handlers, type)?.(event, type, frame.data.length) ?? show(false);
    learn(frame, event, piece);
    soFar.say(piece);
    if (!piece.whole) seen.outputChars += weighText(piece.text);
    return show(piece.text !== '');
  };
  const writeFailed = (error: GatewayError, write: WriteFrame) => {
    const output = soFar.output();
    const failed = {
      ...response,
      object: 'response',
      status: 'failed',
      error: describeFailure(error),
      output,
      output_text: readOutputText({ output }),
    };
    write(
      'response.failed',
      JSON.stringify({ type: 'response.failed', sequence_number: sequence + 1, response: failed }),
    );
  };

  return {
    seen: seen as Seen,
    see: (frame: Frame) => {
      if (template.match(frame)) {
        sequence = template.number;
        soFar.say({ slot, text: template.text, whole: false });
        seen.outputChars += weighText(template.text);
        return 'content';
      }
      if (frame.data === '' || frame.data === '[DONE]') return show(false);
      const event = parseJson(frame.data);
      if (!isObject(event)) return fail(malformed());
      const type = typeOf(event, frame);
      const error = readErrorEvent(event, type);
      return error === undefined ? see(event, type, frame) : fail(forgetVendor(error));
    },
    body: (body) => {
      if (!isObject(body)) {
        seen.error = malformed();
        return;
      }
      observeHead(seen, body);
      if (isFailed(body)) seen.error = decodeFailure(body);
      else if (holdsError(body)) seen.error = decodeEmbeddedError(body);
      else if (!Array.isArray(body['output']))
        seen.error = new GatewayError('upstream_bad_response', 'The answer of the provider holds no output.');
      else if (isEmpty(body)) seen.error = emptyAnswer();
      else observeEnd(seen, body, []);
    },
    end: () => (done ? undefined : truncated()),
    fail: writeFailed,
  };
}
