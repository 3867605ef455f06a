import { findStringEnd, isProtoKey, readString } from './json-strings.ts';
import { KeyCount } from './key-count.ts';

/** Offsets of a top-level member: the quote of its key, the first byte of its value, the byte after its value. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The bytes of one number. */
export interface JsonNumber {
  readonly start: number;
  readonly end: number;
}

/** Bounds of the scan. */
export interface JsonBounds {
  /** Objects and arrays. */
  readonly containers: number;
  /** Strings, numbers and literals; keys are not counted. */
  readonly scalars: number;
  /** Different keys, as {@link KeyCount} counts them. */
  readonly keys: number;
}

/**
 * What JSON.parse does not report: the offsets of members, size, depth, and a key that could pollute a prototype. The
 * text need not be valid JSON. Scanning stops when a bound is exceeded; the layout is then incomplete.
 */
export interface JsonLayout {
  /** Top-level members in order, including repeated ones; empty if the text is not an object. */
  readonly members: readonly JsonMember[];
  /** Nesting depth, at most {@link MAX_DEPTH} + 1. */
  readonly depth: number;
  /** The counts; one above the bound at which scanning stopped. */
  readonly counts: JsonBounds;
  /** In all objects. */
  readonly memberCount: number;
  /** Path of the first key `__proto__`, escaped or not. */
  readonly protoPath: string | undefined;
  /** Whether there is an integer with so many digits that JSON.parse could round it. */
  readonly hasLongNumber: boolean;
  /** The integers with so many digits. */
  readonly longNumbers: readonly JsonNumber[];
  /** Offset of the closing brace; -1 if the text is not an object. */
  readonly close: number;
}

/**
 * JSON.parse accepts far deeper texts than JSON.stringify and structuredClone. No real request needs this many levels.
 */
export const MAX_DEPTH = 128;

const unbounded: JsonBounds = { containers: Infinity, scalars: Infinity, keys: Infinity };

/** Integers with fewer digits are exact. */
const LONG_DIGITS = 16;
/** JSON has no leading zeros. */
const INTEGER = /^-?[1-9]\d*$/;

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const COLON = 58;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const isDigit = (byte: number): boolean => byte >= DIGIT_0 && byte <= DIGIT_9;
/** Bytes that end a number or a literal: white space and punctuation. */
const ends = new Uint8Array(256).fill(1, 0, SPACE + 1);
for (const byte of [QUOTE, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) ends[byte] = 1;

/**
 * An open container: the position of its current key, or the number of items before. Reused by the next container of
 * the same depth.
 */
interface Level {
  array: boolean;
  key: number;
  keyEnd: number;
  index: number;
}

/** No top-level value is being read. */
const NONE = -1;
const AWAITED = 0;

/** The layout, as far as it has been read. */
class LayoutReader implements JsonLayout {
  readonly members: JsonMember[] = [];
  readonly longNumbers: JsonNumber[] = [];
  readonly counts = { containers: 0, scalars: 0, keys: 0 };
  depth = 0;
  close = -1;
  protoPath: string | undefined;
  readonly #bytes: Buffer;
  readonly #bounds: JsonBounds;
  readonly #keys: KeyCount;
  readonly #levels: Level[] = [];
  #level: Level | undefined;
  #open = 0;
  #keyNext = false;
  #valueStart = NONE;
  /** Offset after the last byte that is not white space. */
  #valueEnd = 0;
  /** A bound has been exceeded. */
  #isOver: boolean;

  constructor(bytes: Buffer, bounds: JsonBounds, keys: KeyCount) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#keys = keys;
    this.counts.keys = keys.different;
    this.#isOver = keys.different > bounds.keys;
  }

  get memberCount(): number {
    return this.#keys.all;
  }

  get hasLongNumber(): boolean {
    return this.longNumbers.length > 0;
  }

  /** One loop for all frequent cases: most of a large body is read here. */
  read(): this {
    const bytes = this.#bytes;
    const { length } = bytes;
    let at = 0;
    while (at < length && !this.#isOver) {
      const byte = bytes[at] ?? SPACE;
      if (byte === QUOTE) {
        const end = findStringEnd(bytes, at);
        if (this.#keyNext && this.#level !== undefined) this.#key(this.#level, at, end);
        else this.#string(at, end);
        at = end + 1;
      } else if (byte === COMMA) {
        this.#comma();
        at += 1;
      } else if (byte <= SPACE || byte === COLON) at += 1;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#enter(byte === OPEN_ARRAY, at);
        at += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#leave(byte === CLOSE_ARRAY, at);
        at += 1;
      } else at = this.#scalar(byte, at);
    }
    return this;
  }

  #string(at: number, end: number): void {
    this.counts.scalars += 1;
    if (this.counts.scalars > this.#bounds.scalars) this.#isOver = true;
    if (this.#valueStart === AWAITED) this.#valueStart = at;
    this.#valueEnd = end + 1;
  }

  /** A number or a literal. */
  #scalar(first: number, at: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let end = at + 1;
    while (end < length && ends[bytes[end] ?? SPACE] === 0) end++;
    this.counts.scalars += 1;
    if (this.counts.scalars > this.#bounds.scalars) this.#isOver = true;
    if (end - at >= LONG_DIGITS && (first === MINUS || isDigit(first)) && !this.#keyNext) this.#keepLong(at, end);
    if (this.#valueStart === AWAITED) this.#valueStart = at;
    this.#valueEnd = end;
    return end;
  }

  #keepLong(start: number, end: number): void {
    if (INTEGER.test(this.#bytes.toString('latin1', start, end))) this.longNumbers.push({ start, end });
  }

  #key(level: Level, at: number, end: number): void {
    level.key = at;
    level.keyEnd = end;
    this.#keyNext = false;
    this.counts.keys = this.#keys.add(this.#bytes, at + 1, end);
    if (this.counts.keys > this.#bounds.keys) this.#isOver = true;
    if (this.protoPath === undefined && isProtoKey(this.#bytes, at, end)) this.protoPath = this.#describePath();
    if (this.#open === 1) this.#valueStart = AWAITED;
  }

  #comma(): void {
    const level = this.#level;
    if (level === undefined) return;
    if (this.#open === 1) this.#endMember();
    level.index++;
    this.#keyNext = !level.array;
  }

  #enter(array: boolean, at: number): void {
    if (this.#valueStart === AWAITED) this.#valueStart = at;
    this.#valueEnd = at + 1;
    const level = (this.#level = this.#levels[this.#open] ??= { array, key: 0, keyEnd: 0, index: 0 });
    level.array = array;
    level.index = 0;
    this.#open += 1;
    this.#keyNext = !array;
    this.counts.containers += 1;
    if (this.#open > this.depth) this.depth = this.#open;
    if (this.counts.containers > this.#bounds.containers || this.depth > MAX_DEPTH) this.#isOver = true;
  }

  #leave(array: boolean, at: number): void {
    if (this.#open === 1) this.#endMember();
    this.#keyNext = false;
    this.#open = Math.max(0, this.#open - 1);
    this.#level = this.#levels[this.#open - 1];
    if (this.#level === undefined && !array) this.close = at;
    this.#valueEnd = at + 1;
  }

  #endMember(): void {
    if (this.#valueStart === NONE || this.#level === undefined) return;
    const { key, keyEnd } = this.#level;
    const name = readString(this.#bytes, key, keyEnd);
    this.members.push({ name, start: key, valueStart: this.#valueStart, end: this.#valueEnd });
    this.#valueStart = NONE;
  }

  #describePath(): string {
    const steps = this.#levels
      .slice(0, this.#open)
      .map(({ array, index, key, keyEnd }) => (array ? `[${index}]` : `.${readString(this.#bytes, key, keyEnd)}`));
    return steps.join('').replace(/^\./, '');
  }
}

/**
 * Reads the layout of a text in one pass, in time and memory proportional to its length.
 * @param keys continues a count over several texts
 */
export const readJsonLayout = (raw: Uint8Array, bounds = unbounded, keys = new KeyCount()): JsonLayout =>
  new LayoutReader(
    Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
    bounds,
    keys,
  ).read();
