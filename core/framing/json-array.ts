import type { FrameWriter, Framing, Frame, FrameDecoder } from '../contracts/framing.ts';
import { GatewayError } from '../errors/gateway-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d]);
/** Depth inside the array: what opens here is an element. */
const IN_ARRAY = 1;

/**
 * Splits a JSON array into its elements, each as soon as it is complete, regardless of chunk boundaries. Elements are
 * objects. A body that is a single object (an error before the stream) is emitted as one element. UTF-8 bytes above
 * ASCII never look like structure.
 */
class JsonArrayDecoder implements FrameDecoder {
  readonly #frameBytes: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #depth = 0;
  /** The depth at which an element starts; known after the first bracket. */
  #base = IN_ARRAY;
  #started = false;
  #inString = false;
  #escaped = false;

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    let start = this.#heldBytes > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const before = this.#depth;
      this.#step(chunk[at] ?? 0);
      if (before === this.#base && this.#depth > before) start = at;
      else if (before > this.#base && this.#depth === this.#base) {
        this.#hold(chunk.subarray(start, at + 1));
        this.#emit(emit);
        start = -1;
      }
    }
    if (start !== -1) this.#hold(chunk.subarray(start));
  }

  /** Emits an incomplete element as well: its decoder reports the invalid JSON. */
  end(emit: (frame: Frame) => void): void {
    if (this.#heldBytes > 0) this.#emit(emit);
  }

  #step(byte: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    } else if (byte === QUOTE) this.#inString = true;
    else if (OPENERS.has(byte)) {
      if (!this.#started) this.#base = byte === 0x7b ? 0 : IN_ARRAY;
      this.#started = true;
      this.#depth += 1;
    } else if (CLOSERS.has(byte)) this.#depth -= 1;
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#frameBytes)
      throw new GatewayError(
        'upstream_bad_response',
        `One element of the stream is longer than ${this.#frameBytes} bytes.`,
      );
  }

  #emit(emit: (frame: Frame) => void): void {
    const data = Buffer.concat(this.#held).toString('utf8');
    this.#held = [];
    this.#heldBytes = 0;
    // No `raw`: the separator depends on the position of the element.
    emit({ event: undefined, data });
  }
}

const writer: FrameWriter = {
  frame: (_event, data, first) => (first ? `[${data}` : `,\r\n${data}`),
  close: () => ']',
  idle: () => ' ',
};

/**
 * One JSON array whose elements are sent as they come: Google's streams without `alt=sse`. Elements have no event
 * names.
 */
export const jsonArray: Framing = {
  name: 'json-array',
  contentType: 'application/json',
  decoder: ({ frameBytes }) => new JsonArrayDecoder(frameBytes),
  writer,
};
