import { GatewayError, toGatewayError, type TranscribeRequest } from '../../../../core/api/index.ts';
import {
  isObject,
  malformedFrame,
  parseJson,
  readText,
  type Frame,
  type ObservedSoFar,
  type Tap,
  type Verdict,
  type WriteFrame,
} from '../../../../core/api/codec.ts';
import { weighText } from '../../../../core/api/internal.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';
import { DONE } from '../../chat-completions/shape.ts';
import { readChunkError } from '../../chat-completions/upstream/response/stream.ts';
import { estimateUsage, readUsage } from '../usage.ts';
import { readResponse } from './response.ts';

/**
 * Watches a text that is relayed unchanged:
 * https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event
 */
export class TranscriptTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  readonly #seconds: number;
  /** The event with the whole text has arrived. */
  #isWhole = false;

  constructor({ audio }: TranscribeRequest) {
    this.#seconds = audio.seconds;
  }

  inspectFrame({ data, event }: Frame): Verdict {
    if (data === '') return this.observed.outputChars > 0 ? 'pass' : 'hold';
    if (data === DONE) return this.#isWhole ? 'end' : this.#reject(new GatewayError('upstream_truncated'));
    const frame = parseJson(data);
    if (!isObject(frame)) return this.#reject(malformedFrame());
    const error = readChunkError(frame, event);
    if (error !== undefined) return this.#reject(error);
    const { type } = frame;
    if (type === 'transcript.text.done') return this.#finish(readText(frame['text']), frame['usage']);
    const text = readText(type === 'transcript.text.delta' ? frame['delta'] : frame['text']);
    this.observed.outputChars += weighText(text);
    return text === '' ? 'hold' : 'content';
  }

  inspectBody(body: unknown): void {
    try {
      if (typeof body === 'string') this.observed.usage = estimateUsage(this.#seconds, body);
      else this.#inspectJson(body);
    } catch (thrown) {
      this.observed.error = toGatewayError(thrown);
    }
  }

  end(): GatewayError | undefined {
    return this.#isWhole ? undefined : new GatewayError('upstream_truncated');
  }

  fail(error: GatewayError, write: WriteFrame): void {
    writeError(error, write);
  }

  #inspectJson(body: unknown): void {
    const { response, text } = readResponse(body);
    const model = readText(response['model']);
    if (model !== '') this.observed.model = model;
    this.observed.usage = readUsage(response['usage'], this.#seconds) ?? estimateUsage(this.#seconds, text);
  }

  #finish(text: string, usage: unknown): Verdict {
    this.#isWhole = true;
    this.observed.usage = readUsage(usage, this.#seconds) ?? estimateUsage(this.#seconds, text);
    return 'content';
  }

  #reject(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }
}
