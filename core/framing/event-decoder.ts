import type { EmitEvent } from '../canonical/event.ts';
import { EventWriter } from '../canonical/writer/event-writer.ts';
import type { EventDecoder } from '../contracts/codec.ts';
import type { Frame } from '../contracts/framing.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * Reads the frames of an upstream stream, and writes what they say with the `EventWriter` of the stream:
 * `createEventDecoder` makes a decoder of it. One instance per stream.
 */
export interface FrameReader {
  /**
   * Called with each frame that has data, until the response has ended.
   * @throws GatewayError ends the response: the frame is malformed, or reports an error
   * @example push({ data }) { answer.text(data); }
   */
  push(frame: Frame): void;
  /**
   * Called after the last frame if the response has not ended. Absent: the stream was cut.
   * @example end() { answer.finish({ reason: 'stop' }); }
   */
  end?(): void;
}

class WritingDecoder implements EventDecoder {
  readonly #events = new EventWriter();
  readonly #reader: FrameReader;

  constructor(create: (events: EventWriter) => FrameReader) {
    this.#reader = create(this.#events);
  }

  push(frame: Frame, emit: EmitEvent): void {
    if (frame.data === '' || this.#events.ended) return;
    this.#events.to(emit);
    try {
      this.#reader.push(frame);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  end(emit: EmitEvent): void {
    if (this.#events.ended) return;
    this.#events.to(emit);
    try {
      this.#reader.end?.();
      this.#events.end();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    if (!GatewayError.is(thrown)) throw thrown;
    this.#events.fail(thrown);
  }
}

/**
 * Creates the decoder of one stream from a reader of its frames. A `GatewayError` that the reader throws ends the
 * response; a stream whose choices have not finished at its end is `upstream_truncated`.
 * @example
 * const decodeStream = (): EventDecoder =>
 *   createEventDecoder((events) => ({
 *     push: ({ data }) => {
 *       const { text, last } = readSlip(data);
 *       events.choice(0).text(text);
 *       if (last) events.choice(0).finish({ reason: 'stop' });
 *     },
 *   }));
 */
export const createEventDecoder = (create: (events: EventWriter) => FrameReader): EventDecoder =>
  new WritingDecoder(create);
