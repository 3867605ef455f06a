import type { JsonObject } from '../../canonical/wire.ts';
import type { Path } from '../problem.ts';
import {
  HASH,
  isDash,
  isEmpty,
  KEY,
  KEY_IN_BRACKETS,
  matchPlain,
  matchPlainInBrackets,
  matchQuoted,
  NEWLINE,
  readPlain,
  readQuoted,
  skipSpaces,
  UNUSUAL,
  withoutSpaces,
} from './simple-scalars.ts';

/** Replaces the `${…}` of a text. Undefined where this is not possible. */
export type Interpolate = (written: string, path: Path) => string | undefined;

/** Deeper than any setting. */
const MAX_DEPTH = 40;

/**
 * Reads simple YAML: mappings and lists in lines of their own or in brackets, and scalars in one line. It takes a
 * fraction of the time of the library, which creates a node and its tokens for each value. Each method returns
 * undefined for anything else, and for anything that may be wrong: the library decides then.
 */
export class SimpleReader {
  /** Where each setting at the top level begins. */
  readonly sections = new Map<string, number>();
  readonly #text: string;
  readonly #interpolate: Interpolate;
  readonly #path: (string | number)[] = [];
  /** The offset of what is read next. After a line it is that of the content of the next line. */
  #at = 0;
  /** The column in which the content of the current line begins; -1 after the last line. */
  #column = -1;
  /** The column of what has the brackets that are read: their lines are indented further. */
  #outside = 0;

  constructor(text: string, interpolate: Interpolate) {
    this.#text = text;
    this.#interpolate = interpolate;
  }

  read(): unknown {
    if (UNUSUAL.test(this.#text)) return undefined;
    this.#openLine(0);
    const data = this.#column === 0 ? this.#block(-1) : undefined;
    return this.#column === -1 ? data : undefined;
  }

  /** Reads the value of the setting whose key is at an offset of {@link sections}. */
  readSection(offset: number): unknown {
    this.#at = offset;
    return this.#key(KEY) === undefined ? undefined : this.#valueOfKey(0);
  }

  /** Goes to the next line that has content. */
  #openLine(from: number): void {
    const text = this.#text;
    let start = from;
    while (start < text.length) {
      const at = skipSpaces(this.#text, start);
      const code = text.charCodeAt(at);
      if (at < text.length && code !== NEWLINE && code !== HASH) {
        [this.#at, this.#column] = [at, at - start];
        return;
      }
      const end = text.indexOf('\n', at);
      start = end === -1 ? text.length : end + 1;
    }
    this.#column = -1;
  }

  /** Goes to the next line. False if there is more in this one than spaces and a comment. */
  #closeLine(): boolean {
    const at = skipSpaces(this.#text, this.#at);
    const isEnd = at >= this.#text.length || this.#text.charCodeAt(at) === NEWLINE;
    if (!isEnd && (this.#text.charCodeAt(at) !== HASH || at === this.#at)) return false;
    const end = this.#text.indexOf('\n', at);
    this.#openLine(end === -1 ? this.#text.length : end + 1);
    return true;
  }

  /** The mapping or list that begins in the current line. @param outside the column of what has it */
  #block(outside: number): unknown {
    if (this.#path.length > MAX_DEPTH) return undefined;
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#scalarLine(this.#at, outside);
    return isDash(this.#text, this.#at) ? this.#list(this.#column) : this.#mapping(this.#column);
  }

  #mapping(column: number): JsonObject | undefined {
    const object: Record<string, unknown> = {};
    while (this.#column === column) {
      const offset = this.#at;
      const key = this.#key(KEY);
      if (key === undefined || Object.hasOwn(object, key)) return undefined;
      if (this.#path.length === 0) this.sections.set(key, offset);
      this.#path.push(key);
      const value = this.#valueOfKey(column);
      this.#path.pop();
      if (value === undefined) return undefined;
      object[key] = value;
    }
    return this.#column > column ? undefined : object;
  }

  #list(column: number): readonly unknown[] | undefined {
    const items: unknown[] = [];
    while (this.#column === column && isDash(this.#text, this.#at)) {
      this.#path.push(items.length);
      const value = this.#item(column);
      this.#path.pop();
      if (value === undefined) return undefined;
      items.push(value);
    }
    return this.#column > column ? undefined : items;
  }

  /** A key and its colon. */
  #key(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    const key = found?.[1] ?? found?.[2] ?? found?.[3];
    this.#at = pattern.lastIndex;
    return key === '__proto__' ? undefined : key;
  }

  #valueOfKey(column: number): unknown {
    const at = skipSpaces(this.#text, this.#at);
    if (!isEmpty(this.#text, at)) return this.#scalarLine(at, column);
    this.#closeLine();
    if (this.#column > column) return this.#block(column);
    // A list can begin in the column of its key.
    return this.#column === column && isDash(this.#text, this.#at) ? this.#list(column) : null;
  }

  /** The value after a dash. */
  #item(column: number): unknown {
    const dash = this.#at;
    this.#at += 1;
    const at = skipSpaces(this.#text, this.#at);
    if (isEmpty(this.#text, at)) {
      this.#closeLine();
      return this.#column > column ? this.#block(column) : null;
    }
    KEY.lastIndex = at;
    if (!isDash(this.#text, at) && !KEY.test(this.#text)) return this.#scalarLine(at, column);
    // A mapping or list begins in the same line.
    [this.#at, this.#column] = [at, column + at - dash];
    return this.#block(column);
  }

  /** A value that ends in its line. A line below it that is indented would belong to it. */
  #scalarLine(at: number, column: number): unknown {
    [this.#at, this.#outside] = [at, column];
    const value = this.#value(matchPlain);
    return value !== undefined && this.#closeLine() && this.#column <= column ? value : undefined;
  }

  #value(match: typeof matchPlain): unknown {
    const first = this.#text[this.#at];
    if (first === '{') return this.#bracedMapping();
    if (first === '[') return this.#bracketedList();
    const isQuoted = first === '"' || first === "'";
    const written = isQuoted ? matchQuoted(this.#text, this.#at) : match(this.#text, this.#at);
    if (written === undefined) return undefined;
    this.#at += written.length;
    const value = isQuoted ? readQuoted(written) : readPlain(withoutSpaces(written));
    return typeof value === 'string' && value.includes('${') ? this.#interpolate(value, [...this.#path]) : value;
  }

  /** Where the next content in brackets is, which can be in a later line. */
  #skipInBrackets(from: number): number {
    const text = this.#text;
    let at = skipSpaces(this.#text, from);
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === HASH && (text[at - 1] === ' ' || text[at - 1] === '\n')) at = text.indexOf('\n', at);
      else if (code !== NEWLINE) return at;
      if (at === -1) return text.length;
      const start = at + 1;
      at = skipSpaces(this.#text, start);
      const isContent = text.charCodeAt(at) !== NEWLINE && text.charCodeAt(at) !== HASH;
      if (isContent && at - start <= this.#outside) return text.length;
    }
    return at;
  }

  /** Goes to the content in brackets. False if they are empty, which are closed then. */
  #openBrackets(close: string): boolean {
    this.#at = this.#skipInBrackets(this.#at + 1);
    if (this.#text[this.#at] !== close) return true;
    this.#at += 1;
    return false;
  }

  /** What follows a member in brackets: another one, or their end. Undefined for anything else. */
  #hasNext(close: string): boolean | undefined {
    let at = this.#skipInBrackets(this.#at);
    const hasComma = this.#text[at] === ',';
    if (hasComma) at = this.#skipInBrackets(at + 1);
    const isClosed = this.#text[at] === close;
    this.#at = isClosed ? at + 1 : at;
    return isClosed ? false : hasComma ? true : undefined;
  }

  #bracedMapping(): JsonObject | undefined {
    const object: Record<string, unknown> = {};
    let hasNext: boolean | undefined = this.#openBrackets('}');
    while (hasNext === true) {
      const key = this.#key(KEY_IN_BRACKETS);
      if (key === undefined || Object.hasOwn(object, key) || this.#path.length > MAX_DEPTH) return undefined;
      this.#path.push(key);
      const value = this.#value(matchPlainInBrackets);
      this.#path.pop();
      if (value === undefined) return undefined;
      object[key] = value;
      hasNext = this.#hasNext('}');
    }
    return hasNext === false ? object : undefined;
  }

  #bracketedList(): readonly unknown[] | undefined {
    const items: unknown[] = [];
    let hasNext: boolean | undefined = this.#openBrackets(']');
    while (hasNext === true) {
      if (this.#path.length > MAX_DEPTH) return undefined;
      this.#path.push(items.length);
      const value = this.#value(matchPlainInBrackets);
      this.#path.pop();
      if (value === undefined) return undefined;
      items.push(value);
      hasNext = this.#hasNext(']');
    }
    return hasNext === false ? items : undefined;
  }
}
