import { GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  isObject,
  malformedBody,
  malformedFrame,
  parseJson,
  readErrorMessage,
  type Frame,
  type ObservedSoFar,
  type Tap,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { FrameTemplate, weighText, type Varying } from '../../../../../core/api/internal.ts';
import { encodeErrorBody } from '../../client/response/error.ts';
import { readFinish } from '../../finish.ts';
import { mergeUsage, METRICS, readLateCaches, readUsage } from '../../usage.ts';
import { decodeErrorBody } from './error.ts';
import { hasVisibleContent, visibleMembers } from './block-reader.ts';

const reasoningTypes = new Set<unknown>(['thinking', 'redacted_thinking']);

/** The members of a delta that count as output. */
const outputMembers = new Set<string>(['text', 'thinking', 'partial_json']);

const weigh = (value: unknown): number => (typeof value === 'string' ? weighText(value) : 0);

/** What varies in an event that has text or thinking and nothing else; `undefined` for any other. */
const readVarying = ({ type, delta }: JsonObject): Varying | undefined => {
  if (type !== 'content_block_delta' || !isObject(delta) || Object.keys(delta).length !== 2) return undefined;
  const text = delta['type'] === 'text_delta' ? delta['text'] : delta['thinking'];
  return typeof text === 'string' ? { text } : undefined;
};

/** The weight of the text, thinking and arguments of a whole block. */
const weighBlock = ({ type, text, thinking, input }: JsonObject): number =>
  weigh(text) + weigh(thinking) + (type === 'tool_use' && input !== undefined ? weighText(JSON.stringify(input)) : 0);

class MessagesTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  readonly #isReferable: boolean;
  readonly #template = new FrameTemplate();
  #usage: JsonObject = {};
  #started = false;
  #ended = false;
  #hasContent = false;

  constructor(isReferable: boolean) {
    this.#isReferable = isReferable;
  }

  inspectFrame(frame: Frame): Verdict {
    if (this.#template.match(frame)) {
      this.observed.outputChars += weighText(this.#template.text);
      return 'content';
    }
    const event = parseJson(frame.data);
    // Servers that imitate this wire end it as OpenAI does.
    if (!isObject(event)) return frame.data === '[DONE]' ? 'withhold' : this.#fail(malformedFrame());
    const varying = readVarying(event);
    if (varying !== undefined) this.#template.learn(frame, varying);
    const type = typeof event['type'] === 'string' ? event['type'] : frame.event;
    return type === 'error' ? this.#readError(event, frame) : this.#readEvent(type, event);
  }

  inspectBody(body: unknown): void {
    if (!isObject(body)) return;
    if (body['type'] === 'error') this.observed.error = decodeErrorBody(body);
    else if (!Array.isArray(body['content'])) this.observed.error = malformedBody('has no content');
    else if (!this.#readMessage(body).some(hasVisibleContent) && this.observed.finish === undefined)
      this.observed.error = emptyResponse();
  }

  end(): GatewayError | undefined {
    return this.#ended ? this.observed.error : new GatewayError('upstream_truncated');
  }

  fail(error: GatewayError, write: WriteFrame): void {
    write('error', JSON.stringify(encodeErrorBody(error)));
  }

  #readEvent(type: string | undefined, event: JsonObject): Verdict {
    switch (type) {
      case 'message_start':
        return this.#startMessage(event);
      case 'ping':
        return 'hold';
      case 'content_block_start':
        return this.#startBlock(event);
      case 'content_block_delta':
        return this.#readDelta(event);
      case 'message_delta':
        return this.#readMessageDelta(event);
      case 'message_stop':
        return this.#stopMessage(event);
      default:
        return 'pass';
    }
  }

  /** Some servers start a message twice. Clients refuse the second. */
  #startMessage({ message }: JsonObject): Verdict {
    if (this.#started) return 'withhold';
    this.#started = true;
    return isObject(message) && this.#readMessage(message).length > 0 ? this.#content() : 'hold';
  }

  #startBlock({ content_block: block }: JsonObject): Verdict {
    if (isObject(block)) this.#countBlock(block);
    return hasVisibleContent(block) ? this.#content() : 'hold';
  }

  #readDelta({ delta }: JsonObject): Verdict {
    if (!isObject(delta)) return 'pass';
    const members = visibleMembers(delta);
    for (const member of members) if (outputMembers.has(member)) this.observed.outputChars += weigh(delta[member]);
    return members.length > 0 ? this.#content() : 'pass';
  }

  #readMessageDelta({ delta, usage }: JsonObject): Verdict {
    if (isObject(delta)) {
      this.#readFinish(delta);
      if (isObject(delta['container'])) this.#addStored(delta['container']['id']);
    }
    this.#readUsage(usage);
    return 'pass';
  }

  #stopMessage(event: JsonObject): Verdict {
    if (METRICS in event) this.#readUsage(readLateCaches(this.#usage, event[METRICS]));
    this.#ended = true;
    return this.#hasContent || this.observed.finish !== undefined ? 'end' : this.#fail(emptyResponse());
  }

  /** Clients fail on events of this name only. */
  #readError(event: JsonObject, { event: name }: Frame): Verdict {
    this.#ended = true;
    const error = decodeErrorBody(event);
    const isShown = name === 'error' && readErrorMessage(event) !== undefined;
    return this.#fail(isShown ? error : withoutVendor(error));
  }

  #content(): Verdict {
    this.#hasContent = true;
    return 'content';
  }

  #fail(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }

  /** A plain response, or the message that a stream starts with. */
  #readMessage(message: JsonObject): readonly JsonObject[] {
    const { id, model, usage, content, container } = message;
    if (typeof model === 'string') this.observed.model = model;
    if (this.#isReferable) this.#addStored(id);
    if (isObject(container)) this.#addStored(container['id']);
    this.#readUsage(usage);
    this.#readFinish(message);
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    for (const block of blocks) this.#countBlock(block);
    return blocks;
  }

  #addStored(id: unknown): void {
    const { stored = [] } = this.observed;
    if (typeof id === 'string' && !stored.includes(id)) this.observed.stored = [...stored, id];
  }

  #countBlock(block: JsonObject): void {
    if (reasoningTypes.has(block['type'])) this.observed.reasoned = true;
    this.observed.outputChars += weighBlock(block);
  }

  #readUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    this.#usage = mergeUsage(this.#usage, usage);
    this.observed.usage = readUsage(this.#usage);
  }

  #readFinish(members: JsonObject): void {
    if (typeof members['stop_reason'] === 'string') this.observed.finish = readFinish(members);
  }
}

/**
 * Watches a native response of this wire: when content becomes visible, how the response ends and what it used.
 * @param isReferable later requests can refer to the message: to continue its thread, or to compare with it
 */
export const createTap = (isReferable = false): Tap => new MessagesTap(isReferable);
