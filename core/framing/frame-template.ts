import type { Frame } from '../contracts/framing.ts';

/** What varies between the events of a stream. */
export interface Varying {
  /** The text of the event. */
  readonly text: string;
  /** Padding that a vendor adds to each event. */
  readonly padding?: string | undefined;
  /** A member that numbers the events. */
  readonly number?: { readonly member: string; readonly value: number } | undefined;
}

interface Hole {
  readonly kind: keyof Varying;
  readonly start: number;
  readonly end: number;
}

/** After this many attempts a stream with other variations is not learned again. */
const MAX_ATTEMPTS = 8;
const BACKSLASH = '\\';
/** An escape, or a character that a JSON string cannot contain. */
const ESCAPED = /[\\\p{Cc}]/u;
/** An integer without leading zeros, short enough to be exact. */
const NUMBER = /(?:0|[1-9]\d{0,14})(?!\d)/y;

/** The offset of `token` in the data, if it occurs once and as a value. */
const findValue = (data: string, token: string): number => {
  const at = data.indexOf(token);
  const isOnly = at !== -1 && data.indexOf(token, at + 1) === -1;
  return isOnly && /:\s*$/.test(data.slice(Math.max(0, at - 8), at)) ? at : -1;
};

const findNumber = (data: string, { member, value }: NonNullable<Varying['number']>): Hole | undefined => {
  const token = `"${member}":${value},`;
  const at = data.indexOf(token);
  if (at === -1 || data.indexOf(token, at + 1) !== -1) return undefined;
  return { kind: 'number', start: at + member.length + 3, end: at + token.length - 1 };
};

const findHoles = (data: string, { text, padding, number }: Varying): readonly Hole[] | undefined => {
  const holes: Hole[] = [];
  for (const [kind, value] of [
    ['text', text],
    ['padding', padding],
  ] as const) {
    if (value === undefined) continue;
    const at = findValue(data, `"${value}"`);
    if (at === -1) return undefined;
    holes.push({ kind, start: at + 1, end: at + 1 + value.length });
  }
  if (number !== undefined) {
    const hole = findNumber(data, number);
    if (hole === undefined) return undefined;
    holes.push(hole);
  }
  return holes.sort((one, other) => one.start - other.start);
};

/**
 * Recognises events that differ from an earlier one of the stream only in their text (and number, and padding), so that
 * they need not be parsed. Exact: a match is JSON of the same structure.
 */
export class FrameTemplate {
  /** Text of the last matching frame. */
  text = '';
  number = 0;
  #event: string | undefined;
  /** The constant text before, between and after the variable parts. */
  #pieces: string[] = [];
  #kinds: (keyof Varying)[] = [];
  #lessons = 0;

  /** Whether the frame differs from the learned one in the variable parts only. Sets `text` and `number`. */
  match({ event, data }: Frame): boolean {
    const [first] = this.#pieces;
    // V8 compares slices word by word, but `startsWith` character by character.
    if (first === undefined || event !== this.#event || data.slice(0, first.length) !== first) return false;
    let at = first.length;
    for (let index = 0; index < this.#kinds.length; index += 1) {
      const piece = this.#pieces[index + 1] ?? '';
      const end = this.#fill(data, at, this.#kinds[index]);
      if (end === -1 || data.slice(end, end + piece.length) !== piece) return false;
      at = end + piece.length;
    }
    return at === data.length;
  }

  /** Learns a parsed frame and its variable parts as the template. @returns false if that is not possible */
  learn({ event, data }: Frame, varying: Varying): boolean {
    if (this.#lessons === MAX_ATTEMPTS || varying.text === '' || data.includes(BACKSLASH)) return false;
    this.#lessons += 1;
    const holes = findHoles(data, varying);
    if (holes === undefined) return false;
    let at = 0;
    this.#pieces = [];
    this.#kinds = [];
    for (const { kind, start, end } of holes) {
      this.#pieces.push(data.slice(at, start));
      this.#kinds.push(kind);
      at = end;
    }
    this.#pieces.push(data.slice(at));
    this.#event = event;
    return true;
  }

  /** Reads a variable part. @returns the offset after it, or -1 */
  #fill(data: string, at: number, kind: keyof Varying | undefined): number {
    if (kind === 'number') return this.#fillNumber(data, at);
    const end = data.indexOf('"', at);
    if (end === -1) return -1;
    const value = data.slice(at, end);
    if (ESCAPED.test(value)) return -1;
    if (kind === 'padding') return end;
    this.text = value;
    return value === '' ? -1 : end;
  }

  #fillNumber(data: string, at: number): number {
    NUMBER.lastIndex = at;
    const digits = NUMBER.exec(data)?.[0];
    if (digits === undefined) return -1;
    this.number = Number(digits);
    return at + digits.length;
  }
}
