import { GatewayError, type JsonObject, toGatewayError } from '../../../../core/api/index.ts';
import {
  isObject,
  type Frame,
  type ObservedSoFar,
  parseJson,
  readText,
  type Tap,
  type Verdict,
  type WriteFrame,
} from '../../../../core/api/codec.ts';
import { decodeEmbeddedError, holdsError } from '../../chat-completions/upstream/response/error.ts';
import { writeError } from '../client/stream.ts';
import { readUsage } from '../usage.ts';
import { decodeResponse } from './response.ts';

/**
 * Reads usage and errors of a response as it passes. A stream has partial images and, for each image of the request,
 * one event that completes it: https://platform.openai.com/docs/api-reference/images-streaming
 */
export class ImageTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  readonly #count: number;
  #completed = 0;

  /** @param count of images in the request */
  constructor(count: number) {
    this.#count = count;
  }

  inspectBody(body: unknown): void {
    try {
      const { usage, model } = decodeResponse(body);
      if (usage !== undefined) this.observed.usage = usage;
      if (model !== undefined) this.observed.model = model;
    } catch (thrown) {
      this.observed.error = toGatewayError(thrown);
    }
  }

  inspectFrame({ data }: Frame): Verdict {
    if (data === '[DONE]') return 'end';
    const event = parseJson(data);
    if (!isObject(event)) return 'pass';
    if (holdsError(event)) {
      this.observed.error = decodeEmbeddedError(event);
      return 'error';
    }
    const type = readText(event['type']);
    if (type.endsWith('.partial_image')) return 'content';
    return type.endsWith('.completed') ? this.#complete(event) : 'hold';
  }

  end(): GatewayError | undefined {
    return this.#completed > 0 ? undefined : new GatewayError('upstream_truncated');
  }

  fail(error: GatewayError, write: WriteFrame): void {
    writeError(error, write);
  }

  #complete(event: Readonly<JsonObject>): Verdict {
    this.#completed += 1;
    const usage = readUsage(event, this.#completed);
    if (usage !== undefined) this.observed.usage = usage;
    return this.#completed < this.#count ? 'content' : 'end';
  }
}
