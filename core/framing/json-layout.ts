import { findStringEnd, isProtoKey, readString } from './json-strings.ts';

/** Where one top-level member stands: the quote of its key, the first byte of its value, the byte after its value. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** What JSON.parse does not tell of a text: where its members stand, how deep it is, and the key that could poison a prototype. */
export interface JsonLayout {
  /** Top-level members in their order, repeated ones included; empty when the text is not an object. */
  readonly members: readonly JsonMember[];
  /** Objects and arrays around the deepest value. Above {@link MAX_DEPTH} the reading stopped there, and the rest is not filled in. */
  readonly depth: number;
  /** Path of the first key `__proto__`, however it is escaped. */
  readonly protoPath?: string;
  /** Is there an integer of so many digits that JSON.parse may round it? */
  readonly hasLongNumber: boolean;
  /** Offset of the closing brace; -1 when the text is not an object. */
  readonly close: number;
}

/** JSON.parse takes far deeper texts than JSON.stringify and structuredClone do; no request needs this many levels. */
export const MAX_DEPTH = 128;

/** Fewer digits are exact. */
const LONG_DIGITS = 16;

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const DOT = 46;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const COLON = 58;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** A container that is open: where its current key stands, or how many items went before. */
interface Level {
  readonly array: boolean;
  key: number;
  keyEnd: number;
  index: number;
}

/** No value at the top level is being read; its first byte is still to come. */
const NONE = -1;
const AWAITED = 0;

class LayoutReader {
  readonly #bytes: Buffer;
  readonly #members: JsonMember[] = [];
  readonly #levels: Level[] = [];
  #level: Level | undefined;
  #keyNext = false;
  #valueStart = NONE;
  /** Behind the last byte that is not white space. */
  #valueEnd = 0;
  #depth = 0;
  #close = -1;
  #protoPath: string | undefined;
  /** Digits in a row before the point; those behind it are not counted. */
  #digits = 0;
  #lastDigit = -1;
  #hasLongNumber = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): JsonLayout {
    const { length } = this.#bytes;
    for (let at = 0; at < length && this.#depth <= MAX_DEPTH; at++) at = this.#step(this.#bytes[at] ?? SPACE, at);
    return {
      members: this.#members,
      depth: this.#depth,
      close: this.#close,
      hasLongNumber: this.#hasLongNumber,
      ...(this.#protoPath === undefined ? {} : { protoPath: this.#protoPath }),
    };
  }

  /** Takes what begins at `at` and gives the offset of its last byte. */
  #step(byte: number, at: number): number {
    if (byte <= SPACE) return at;
    if (byte === QUOTE) return this.#keyNext && this.#level !== undefined ? this.#key(this.#level, at) : this.#value(at, findStringEnd(this.#bytes, at));
    if (byte === COMMA) this.#comma();
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_ARRAY, at);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#shut(byte === CLOSE_ARRAY, at);
    else this.#scalar(byte, at);
    return at;
  }

  /** A byte of a number or a literal. */
  #scalar(byte: number, at: number): void {
    this.#value(at, at);
    if (byte < DIGIT_0 || byte > DIGIT_9) return;
    if (this.#lastDigit === at - 1) this.#digits += 1;
    else this.#digits = this.#bytes[at - 1] === DOT ? Number.NEGATIVE_INFINITY : 1;
    this.#lastDigit = at;
    if (this.#digits === LONG_DIGITS) this.#hasLongNumber = true;
  }

  #value(at: number, end: number): number {
    if (this.#valueStart === AWAITED) this.#valueStart = at;
    this.#valueEnd = end + 1;
    return end;
  }

  #key(level: Level, at: number): number {
    level.key = at;
    level.keyEnd = findStringEnd(this.#bytes, at);
    this.#keyNext = false;
    if (this.#protoPath === undefined && isProtoKey(this.#bytes, at, level.keyEnd)) this.#protoPath = this.#describePath();
    if (this.#levels.length === 1) this.#valueStart = AWAITED;
    let colon = level.keyEnd + 1;
    while (colon < this.#bytes.length && this.#bytes[colon] !== COLON) colon++;
    return colon;
  }

  #comma(): void {
    if (this.#level === undefined) return;
    this.#endMember();
    this.#level.index++;
    this.#keyNext = !this.#level.array;
  }

  #open(array: boolean, at: number): void {
    this.#value(at, at);
    this.#level = { array, key: 0, keyEnd: 0, index: 0 };
    this.#keyNext = !array;
    this.#depth = Math.max(this.#depth, this.#levels.push(this.#level));
  }

  #shut(array: boolean, at: number): void {
    this.#endMember();
    this.#keyNext = false;
    this.#levels.pop();
    this.#level = this.#levels.at(-1);
    if (this.#level === undefined && !array) this.#close = at;
    this.#valueEnd = at + 1;
  }

  #endMember(): void {
    if (this.#valueStart === NONE || this.#levels.length !== 1 || this.#level === undefined) return;
    const { key, keyEnd } = this.#level;
    this.#members.push({ name: readString(this.#bytes, key, keyEnd), start: key, valueStart: this.#valueStart, end: this.#valueEnd });
    this.#valueStart = NONE;
  }

  #describePath(): string {
    const steps = this.#levels.map(({ array, index, key, keyEnd }) => (array ? `[${index}]` : `.${readString(this.#bytes, key, keyEnd)}`));
    return steps.join('').replace(/^\./, '');
  }
}

/** Reads the layout of a text that JSON.parse accepted, in one pass. */
export const readJsonLayout = (raw: Uint8Array): JsonLayout => new LayoutReader(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)).read();
