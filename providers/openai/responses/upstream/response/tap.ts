import { GatewayError, type JsonObject, type Usage } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  type Frame,
  isObject,
  malformedBody,
  malformedFrame,
  type ObservedSoFar,
  parseJson,
  readList,
  readObject,
  readText,
  type ResponseEdit,
  type Tap,
  type TargetProfile,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { FrameTemplate, weighText } from '../../../../../core/api/internal.ts';
import { correctUsage, markEstimated } from '../../../chat-completions/usage.ts';
import { describeFailure } from '../../client/response/error.ts';
import { usageNames, writeUsage } from '../../usage.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { readFinalResponse } from '../../finish.ts';
import type { Slot } from './item-readers.ts';
import { observeEnd, observeHead, observeStored, PartialOutput } from './observed.ts';
import { isEmpty, readOutputText, showsSomething } from './item-content.ts';
import { DONE, readErrorEvent, readTextEvent, type TextEvent, typeOf } from './stream.ts';

/** Items that start empty: their start shows nothing. */
const startsEmpty: ReadonlySet<string> = new Set(['message', 'reasoning']);

/** Watches a response that is relayed unchanged, except for its usage and its text as a whole. */
class ResponseTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  edits: readonly ResponseEdit[] | undefined;
  readonly #keepsUsage: boolean;
  /** The server keeps the response, and later requests can refer to it. */
  readonly #isStored: boolean;
  /** The vendor continues the response whatever becomes of this stream, so it begins with its first event. */
  readonly #isBackground: boolean;
  /** The member with the response: none in a plain body. */
  #of: string | undefined;
  /** The response and its output so far, for the response of a failure. */
  #response: Readonly<JsonObject> = {};
  readonly #output = new PartialOutput();
  readonly #template = new FrameTemplate();
  /** Of the event that the template was learned from. */
  #slot: Slot = { kind: 'text', index: 0 };
  #sequence = -1;
  /** The client has been shown something. */
  #content = false;
  #done = false;

  constructor({ keepsUsage = false }: Pick<TargetProfile, 'keepsUsage'>, isStored: boolean, isBackground: boolean) {
    this.#isBackground = isBackground;
    this.#keepsUsage = keepsUsage;
    this.#isStored = isStored;
  }

  inspectFrame(frame: Frame): Verdict {
    if (this.#template.match(frame)) {
      const { text, number } = this.#template;
      this.#sequence = number;
      this.#output.add(this.#slot, text, false);
      this.observed.outputChars += weighText(text);
      return 'content';
    }
    if (frame.data === '' || frame.data === DONE) return this.#pass(false);
    const event = parseJson(frame.data);
    if (!isObject(event)) return this.#reject(malformedFrame());
    const type = typeOf(event, frame);
    const error = readErrorEvent(event, type);
    // Clients throw on the vendor's bare `error` event, and on this wire every failure is a `response.failed`.
    return error === undefined ? this.#see(event, type, frame) : this.#reject(withoutVendor(error));
  }

  inspectBody(body: unknown): void {
    if (!isObject(body)) {
      this.observed.error = malformedBody('is not a JSON object');
      return;
    }
    this.#response = body;
    observeHead(this.observed, body);
    this.edits = this.#correct(body);
    if (isFailed(body)) this.observed.error = decodeFailure(body);
    else if (holdsError(body)) this.observed.error = decodeEmbeddedError(body);
    else if (!Array.isArray(body['output'])) this.observed.error = malformedBody('has no output');
    else if (isEmpty(body)) this.observed.error = emptyResponse();
    else {
      observeEnd(this.observed, body, []);
      if (this.#isStored) observeStored(this.observed, body, []);
    }
  }

  end(): GatewayError | undefined {
    return this.#done ? undefined : new GatewayError('upstream_truncated');
  }

  complete(usage: Usage): readonly ResponseEdit[] {
    if (this.#keepsUsage || isObject(this.#response['usage']) || this.observed.finish?.unfinished === true) return [];
    return this.#editAll({ usage: writeUsage(usage), ...markEstimated(usage) });
  }

  fail(error: GatewayError, write: WriteFrame): void {
    const type = 'response.failed';
    const output = this.#output.compose();
    const response = {
      ...this.#response,
      object: 'response',
      status: 'failed',
      error: describeFailure(error),
      output,
      output_text: readOutputText({ output }),
    };
    write(type, JSON.stringify({ type, sequence_number: this.#sequence + 1, response }));
  }

  #see(event: JsonObject, type: string, frame: Frame): Verdict {
    if (typeof event['sequence_number'] === 'number') this.#sequence = event['sequence_number'];
    const text = readTextEvent(type, event);
    if (text !== undefined) return this.#seeText(text, event, frame);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#seeResponse(readObject(event['response']));
      case 'response.output_item.added':
        return this.#seeItem(event['item']);
      case 'response.output_item.done':
        return this.#seeFinishedItem(event['item'], frame.data.length);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#seeEnd(readFinalResponse(event, type));
      default:
        return this.#pass(false);
    }
  }

  #seeText(event: TextEvent, { obfuscation }: JsonObject, frame: Frame): Verdict {
    const { slot, text, whole } = event;
    if (!whole && this.#sequence !== -1) {
      const padding = typeof obfuscation === 'string' ? obfuscation : undefined;
      const number = { member: 'sequence_number', value: this.#sequence };
      if (this.#template.learn(frame, { text, padding, number })) this.#slot = slot;
    }
    this.#output.add(slot, text, whole);
    if (!whole) this.observed.outputChars += weighText(text);
    return this.#pass(text !== '');
  }

  #seeResponse(response: Readonly<JsonObject>): Verdict {
    this.#response = response;
    observeHead(this.observed, response);
    if (this.#isStored && this.observed.stored === undefined) observeStored(this.observed, response, []);
    return this.#pass(this.#isBackground);
  }

  #seeItem(item: unknown): Verdict {
    if (!isObject(item)) return this.#pass(false);
    this.#output.begin(item);
    if (item['type'] === 'reasoning') this.observed.reasoned = true;
    return this.#pass(!startsEmpty.has(readText(item['type'])));
  }

  #seeFinishedItem(item: unknown, chars: number): Verdict {
    if (!isObject(item)) return this.#pass(false);
    this.#output.finish(item, chars);
    return this.#pass(showsSomething(item));
  }

  #seeEnd(response: Readonly<JsonObject>): Verdict {
    const { finished } = this.#output;
    this.#response = response;
    observeHead(this.observed, response, finished);
    if (isFailed(response)) return this.#reject(decodeFailure(response));
    observeEnd(this.observed, response, finished);
    if (this.#isStored) observeStored(this.observed, response, finished);
    this.#of = 'response';
    const output = readList(response['output']).length > 0 ? response['output'] : finished;
    const text = typeof response['output_text'] === 'string' ? {} : { output_text: readOutputText({ output }) };
    this.edits = [...this.#editAll(text), ...this.#correct(response)];
    this.#done = true;
    return 'end';
  }

  #correct(response: Readonly<JsonObject>): readonly ResponseEdit[] {
    const { usage } = this.observed;
    const raw = response['usage'];
    const value =
      this.#keepsUsage || usage === undefined || !isObject(raw) ? undefined : correctUsage(raw, usage, usageNames);
    return value === undefined ? [] : this.#editAll({ usage: value });
  }

  #editAll(members: JsonObject): readonly ResponseEdit[] {
    return Object.entries(members).map(([member, value]) => ({ member, value, of: this.#of }));
  }

  #pass(shows: boolean): Verdict {
    this.#content ||= shows;
    return shows ? 'content' : this.#content ? 'pass' : 'hold';
  }

  #reject(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }
}

/**
 * @param isStored the server keeps the response, and later requests can refer to it
 * @param isBackground the vendor continues the response after this call
 */
export const createTap = (
  settings: Pick<TargetProfile, 'keepsUsage'> = {},
  isStored = false,
  isBackground = false,
): Tap => new ResponseTap(settings, isStored, isBackground);
