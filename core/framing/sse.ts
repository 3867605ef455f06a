import { isAscii } from 'node:buffer';
import type { FrameWriter, Framing, Frame, FrameDecoder } from '../contracts/framing.ts';
import { GatewayError } from '../errors/gateway-error.ts';

const COLON = 58;
const SPACE = 32;

/** Whether the field's name ends at `colon`. A line without a colon is a name with an empty value. */
const endsName = (text: string, colon: number, end: number): boolean =>
  colon === end || (colon < end && text.charCodeAt(colon) === COLON);

/** The value after `colon`, without one leading space. */
const readValue = (text: string, colon: number, end: number): string =>
  colon === end ? '' : text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);

/**
 * Reads the fields of a block whose lines end in LF. `id` and `retry` are not needed; they stay in the frame's bytes. A
 * block without data has no event name either: it is not an event.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function readFields(text: string): Pick<Frame, 'event' | 'data'> {
  let event: string | undefined;
  let data: string | undefined;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (text.startsWith('data', start) && endsName(text, start + 4, end)) {
      const value = readValue(text, start + 4, end);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (text.startsWith('event', start) && endsName(text, start + 5, end)) {
      event = readValue(text, start + 5, end);
    }
    start = end + 1;
  }
  if (data === undefined || data === '') return { event: undefined, data: '' };
  return { event: event === '' ? undefined : event, data };
}

const LF = 10;
const BOM = '\uFEFF';
const REPLACED = '\uFFFD';

/**
 * Splits a stream of server-sent events into frames, regardless of chunk boundaries. The `raw` of all frames, joined,
 * is the input byte for byte: a block of comments is a frame too, with empty data and no event name.
 * A frame that lacks only the LF of its last CRLF is not delayed: it is emitted with the LF, which is dropped when it
 * arrives. Some clients recognise no blank line but `\r\n\r\n`, and the LF of a last frame, or of one before a withheld
 * frame, would never be sent.
 * Lines are found in a latin1 copy of the chunk, whose offsets are those of the bytes: searching a string costs a third
 * of searching a buffer, and frames of an ASCII chunk are slices of that copy.
 */
class SseDecoder implements FrameDecoder {
  readonly #frameBytes: number;
  /** The start of an incomplete frame. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Whether the block has a line that is not blank. Blank lines before it belong to its frame. */
  #hasLines = false;
  #hasCR = false;
  /** No byte of the current line has been read. */
  #atLineStart = true;
  /** The last chunk ended in CR: an LF at the start of the next one belongs to that line end. */
  #afterCR = false;
  /** The frame that ended there was emitted with that LF; otherwise the LF belongs to the next frame. */
  #completed = false;
  #first = true;

  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const { length } = bytes;
    if (length === 0) return;
    const text = bytes.toString('latin1');
    const ascii = isAscii(bytes);
    let at = this.#afterCR && bytes[0] === LF ? 1 : 0;
    let start = this.#completed ? at : 0;
    this.#afterCR = false;
    this.#completed = false;
    let cr = text.indexOf('\r', at);
    let lf = text.indexOf('\n', at);
    while (lf !== -1 || cr !== -1) {
      const endsInCR = cr !== -1 && (lf === -1 || cr < lf);
      const end = endsInCR ? cr : lf;
      const blank = this.#atLineStart && end === at;
      at = end + 1;
      if (endsInCR) {
        this.#hasCR = true;
        if (at === length) this.#afterCR = true;
        else if (bytes[at] === LF) at++;
        cr = text.indexOf('\r', at);
      }
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at);
      this.#atLineStart = true;
      if (!blank) this.#hasLines = true;
      else if (this.#hasLines) {
        const raw = start === 0 && at === length ? bytes : bytes.subarray(start, at);
        this.#emitFrame(raw, ascii ? text.slice(start, at) : undefined, emit);
        start = at;
      }
    }
    if (at < length) this.#atLineStart = false;
    if (start < length) this.#hold(start === 0 ? bytes : bytes.subarray(start));
  }

  /** Emits a last frame without a blank line, unlike a browser. Its `raw` lacks the separator. */
  end(emit: (frame: Frame) => void): void {
    if (this.#heldBytes > 0) this.#emitFrame(Buffer.alloc(0), undefined, emit);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#checkLength(this.#heldBytes);
  }

  /** @param text the bytes of `last`, if they are ASCII */
  #emitFrame(last: Buffer, text: string | undefined, emit: (frame: Frame) => void): void {
    this.#checkLength(this.#heldBytes + last.length);
    const whole = this.#heldBytes === 0;
    const received = whole ? last : Buffer.concat([...this.#held, last]);
    this.#completed = this.#afterCR && received.at(-2) === LF;
    const raw = this.#completed ? Buffer.concat([received, Buffer.of(LF)]) : received;
    const block = whole && text !== undefined ? text : raw.toString('utf8');
    const lines = this.#hasCR ? block.replaceAll(/\r\n?/g, '\n') : block;
    const { event, data } = readFields(this.#first && lines.startsWith(BOM) ? lines.slice(1) : lines);
    if (!whole) {
      this.#held = [];
      this.#heldBytes = 0;
    }
    this.#hasLines = false;
    this.#hasCR = false;
    this.#first = false;
    // Invalid UTF-8 is replaced, so that it does not reach a client. Only then does `raw` differ from the input.
    emit({ event, data, raw: block.includes(REPLACED) ? Buffer.from(block) : raw });
  }

  #checkLength(bytes: number): void {
    if (bytes > this.#frameBytes)
      throw new GatewayError(
        'upstream_bad_response',
        `One event of the stream is longer than ${this.#frameBytes} bytes.`,
      );
  }
}

/** JSON contains no raw line break. Other data is written as several lines, so that no text can end its frame early. */
const writeData = (data: string): string =>
  data.includes('\n') || data.includes('\r')
    ? data
        .split(/\r\n|\r|\n/)
        .map((line) => `data: ${line}\n`)
        .join('')
    : `data: ${data}\n`;

const writer: FrameWriter = {
  frame: (event, data) => (event === undefined ? `${writeData(data)}\n` : `event: ${event}\n${writeData(data)}\n`),
  close: () => '',
  idle: () => ': keep-alive\n\n',
  comment: (text) => `: ${text}\n\n`,
};

/**
 * Server-sent events, read in every form of the standard and written in one. A frame with empty data and no event name
 * is not an event (a comment): codecs skip it, and the native lane relays its bytes.
 */
export const sse: Framing = {
  name: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  decoder: ({ frameBytes }) => new SseDecoder(frameBytes),
  writer,
};
