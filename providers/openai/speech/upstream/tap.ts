import { GatewayError, type Usage } from '../../../../core/api/index.ts';
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
import { writeError } from '../../chat-completions/client/response/error.ts';
import { DONE } from '../../chat-completions/shape.ts';
import { readChunkError } from '../../chat-completions/upstream/response/stream.ts';
import { measureUsage, readUsage } from '../usage.ts';

/**
 * Watches audio that is relayed unchanged: events, or a file, in which there is nothing to read.
 * https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event
 */
export class SpeechTap implements Tap {
  readonly observed: ObservedSoFar;
  readonly #measured: Usage;
  #hasAudio = false;
  /** The last event has arrived. */
  #isWhole = false;

  constructor(text: string) {
    this.#measured = measureUsage(text);
    this.observed = { outputChars: 0, usage: this.#measured };
  }

  inspectFrame({ data, event }: Frame): Verdict {
    if (data === '') return this.#hasAudio ? 'pass' : 'hold';
    if (data === DONE) return this.#isWhole ? 'end' : this.#reject(new GatewayError('upstream_truncated'));
    const frame = parseJson(data);
    if (!isObject(frame)) return this.#reject(malformedFrame());
    const error = readChunkError(frame, event);
    if (error !== undefined) return this.#reject(error);
    const { type } = frame;
    if (type === 'speech.audio.done') return this.#finish(frame['usage']);
    if (readText(frame['audio']) === '') return this.#hasAudio ? 'pass' : 'hold';
    this.#hasAudio = true;
    return 'content';
  }

  /** A plain response is a file. */
  inspectBody(): void {}

  end(): GatewayError | undefined {
    return this.#isWhole ? undefined : new GatewayError('upstream_truncated');
  }

  fail(error: GatewayError, write: WriteFrame): void {
    writeError(error, write);
  }

  #finish(usage: unknown): Verdict {
    if (!this.#hasAudio) return this.#reject(new GatewayError('upstream_truncated'));
    this.#isWhole = true;
    this.observed.usage = readUsage(usage, this.#measured);
    return 'content';
  }

  #reject(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }
}
