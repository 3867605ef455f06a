import { anyCharacter, classes, invert, type Ranges } from './characters.ts';

/** A parsed pattern. */
export type Node =
  | { readonly type: 'set'; readonly ranges: Ranges; readonly isNegated?: boolean }
  | { readonly type: 'boundary'; readonly isNegated: boolean }
  | { readonly type: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly type: 'choice'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

const MOST_REPEATS = 1_000;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const SPECIAL = /[()[\]{}|*+?.\\^$]/;
const IGNORE_CASE = '(?i)';

const single = (character: string): Ranges => [[character.charCodeAt(0), character.charCodeAt(0)]];

/** A subset of the regular expressions of JavaScript: what can be searched in linear time, and nothing about places. */
class Parser {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw this.#error('there is a ) without a (');
    return node;
  }

  #error(message: string): Error {
    return new Error(`The pattern is not valid at character ${this.#at + 1}: ${message}.`);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Node {
    const nodes = [this.#sequence()];
    while (this.#take('|')) nodes.push(this.#sequence());
    return { type: 'choice', nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      nodes.push(this.#repeated(this.#atom()));
    return { type: 'sequence', nodes };
  }

  #repeated(node: Node): Node {
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (this.#take('?') || this.#take('+'))
      throw this.#error('*?, +? and possessive repetitions make no difference here, write * or +');
    if (this.#bounds() !== undefined) throw this.#error('a repetition follows a repetition');
    return { type: 'repeat', node, ...bounds };
  }

  #bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at));
    if (counted === null) return undefined;
    const [text, from = '', range, to = ''] = counted;
    const min = Number(from);
    const upTo = to === '' ? Number.POSITIVE_INFINITY : Number(to);
    const max = range === undefined ? min : upTo;
    if (min > MOST_REPEATS || (Number.isFinite(max) && max > MOST_REPEATS) || max < min)
      throw this.#error(`a repetition goes from a number to a larger one, and to ${MOST_REPEATS} at most`);
    this.#at += text.length;
    return { min, max };
  }

  #atom(): Node {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#set();
    if (this.#take('.')) return { type: 'set', ranges: anyCharacter };
    if (this.#take('\\b')) return { type: 'boundary', isNegated: false };
    if (this.#take('\\B')) return { type: 'boundary', isNegated: true };
    if (this.#take('\\')) return { type: 'set', ranges: this.#escape() };
    const character = this.#source.charAt(this.#at);
    if (character === '^' || character === '$')
      throw this.#error(`${character} is a place, and a pattern is searched everywhere: remove it, or write \\b`);
    if (SPECIAL.test(character)) throw this.#error(`write \\${character} for the character ${character}`);
    this.#at += 1;
    return { type: 'set', ranges: single(character) };
  }

  #group(): Node {
    if (this.#take('?') && !this.#take(':'))
      throw this.#error('of the groups that begin with (?, only (?:…) and (?i) at the start can be used');
    const node = this.#choice();
    if (!this.#take(')')) throw this.#error('a ) is missing');
    return node;
  }

  /** After the backslash. */
  #escape(): Ranges {
    const letter = this.#source.charAt(this.#at);
    this.#at += 1;
    const known = classes[letter.toLowerCase()];
    if (known !== undefined) return letter === letter.toLowerCase() ? known : invert(known);
    if (letter === 'x' || letter === 'u') return this.#code(letter === 'x' ? 2 : 4);
    const control = escapes[letter];
    if (control !== undefined) return single(control);
    if (letter === '' || /[A-Za-z0-9]/.test(letter))
      throw this.#error(`\\${letter} has no meaning here, or refers to a group, which takes more than linear time`);
    return single(letter);
  }

  #code(length: number): Ranges {
    const digits = this.#source.slice(this.#at, this.#at + length);
    if (digits.length < length || !/^[\da-f]+$/i.test(digits))
      throw this.#error(`${length} hexadecimal digits are missing`);
    this.#at += length;
    return single(String.fromCharCode(Number.parseInt(digits, 16)));
  }

  /** After the bracket. */
  #set(): Node {
    const isNegated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#source.length) throw this.#error('a ] is missing');
      const first = this.#member();
      const from = first[0]?.[0] ?? 0;
      if (!/^-[^\]]/.test(this.#source.slice(this.#at, this.#at + 2))) {
        ranges.push(...first);
        continue;
      }
      this.#at += 1;
      const last = this.#member();
      const to = last[0]?.[1] ?? 0;
      if (first.length + last.length > 2 || to < from)
        throw this.#error('a range goes from a character to a later one');
      ranges.push([from, to]);
    }
    if (ranges.length === 0) throw this.#error('a set of characters is empty');
    return { type: 'set', ranges, isNegated };
  }

  #member(): Ranges {
    if (this.#take('\\')) return this.#escape();
    const character = this.#source.charAt(this.#at);
    if (/[\uD800-\uDFFF]/.test(character))
      throw this.#error('a character of two code units cannot be in a set: write it in a group with |');
    this.#at += 1;
    return single(character);
  }
}

export interface Pattern {
  readonly node: Node;
  readonly ignoresCase: boolean;
}

/** @throws Error that says what is wrong, and where */
export function parsePattern(source: string): Pattern {
  const ignoresCase = source.startsWith(IGNORE_CASE);
  return { node: new Parser(source, ignoresCase ? IGNORE_CASE.length : 0).parse(), ignoresCase };
}
