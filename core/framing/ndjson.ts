import type { Frame, FrameDecoder, Framing } from '../contracts/framing.ts';
import { GatewayError } from '../errors/gateway-error.ts';

const LF = 10;

/** Splits a stream into lines. The `raw` of all frames, joined, is the input byte for byte. */
class LineDecoder implements FrameDecoder {
  readonly #frameBytes: number;
  /** The start of an incomplete line. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(LF) + 1; end > 0; end = chunk.indexOf(LF, start) + 1) {
      this.#hold(chunk.subarray(start, end));
      this.end(emit);
      start = end;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Emits the held line: at its line break, or at the end of the stream. */
  end(emit: (frame: Frame) => void): void {
    if (this.#heldBytes === 0) return;
    const raw = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    emit({ event: undefined, data: raw.toString('utf8').trim(), raw });
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#frameBytes)
      throw new GatewayError(
        'upstream_bad_response',
        `One line of the stream is longer than ${this.#frameBytes} bytes.`,
      );
  }
}

/**
 * One JSON value a line, as Ollama and others send: https://github.com/ndjson/ndjson-spec. A blank line is a frame with
 * empty data.
 */
export const ndjson: Framing = {
  name: 'ndjson',
  contentType: 'application/x-ndjson',
  decoder: ({ frameBytes }) => new LineDecoder(frameBytes),
  writer: {
    frame: (_event, data) => `${data}\n`,
    close: () => '',
    idle: () => '\n',
  },
};
