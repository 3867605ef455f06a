import type { Frame } from '../contracts/framing.ts';

/** What varies between the events of one stream. */
export interface Varying {
  /** What the event shows. */
  readonly text: string;
  /** Padding that a vendor adds to each event. */
  readonly padding?: string | undefined;
  /** A member that counts the events. */
  readonly number?: { readonly member: string; readonly value: number } | undefined;
}

interface Hole {
  readonly kind: keyof Varying;
  readonly start: number;
  readonly end: number;
}

/** A stream whose events vary otherwise is not learned again and again. */
const MOST_LESSONS = 8;
const BACKSLASH = '\\';
/** In a string of JSON as it is written: what is escaped, or may not stand there. */
const ESCAPED = /[\\\p{Cc}]/u;
/** Zero, or digits that do not begin with it; so few that they are exact. */
const NUMBER = /(?:0|[1-9]\d{0,14})(?!\d)/y;

/** The only place at which `token` stands in the data, where it is a value. */
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
 * Recognises events of a stream that differ from an earlier one in the text they show and nothing else that matters:
 * they need not be parsed. Exact: what matches is JSON of the same structure, with another text (and number, and
 * padding) in it.
 */
export class FrameTemplate {
  /** Of the frame that matched last. */
  text = '';
  number = 0;
  #event: string | undefined;
  /** What stands before, between and behind the holes. */
  #pieces: string[] = [];
  #kinds: (keyof Varying)[] = [];
  #lessons = 0;

  /** Does this frame differ from the one that was learned in its holes alone? Then `text` and `number` are its own. */
  match({ event, data }: Frame): boolean {
    const [first] = this.#pieces;
    // V8 compares slices word by word, and what `startsWith` is given character by character.
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

  /** Takes a frame that was parsed, with what varies in it, for the one to compare with. @returns false: it cannot be */
  learn({ event, data }: Frame, varying: Varying): boolean {
    if (this.#lessons === MOST_LESSONS || varying.text === '' || data.includes(BACKSLASH)) return false;
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

  /** Reads what stands in a hole. @returns the offset behind it, or -1 */
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
