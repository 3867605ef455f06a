import { Alphabet } from './alphabet.ts';
import { isWord } from './characters.ts';
import { createMoves, wordsFor, type Bits, type Moves } from './moves.ts';
import type { Positions } from './positions.ts';

/** A step takes some 10 ns. A character takes this many in any case, and one for this many words. */
const STEPS_OF_CHARACTER = 2;
const WORDS_OF_STEP = 5;

/**
 * Follows all matches of a pattern at once. A set of positions is a row of bits; what a character costs does not depend
 * on the text, and no set is kept.
 */
export class Automaton {
  /** The length of a row. */
  readonly words: number;
  /** The steps that a character takes. */
  readonly price: number;
  readonly #alphabet: Alphabet;
  readonly #within: Moves;
  readonly #atBoundary: Moves;

  constructor({ sets, within, atBoundary }: Positions) {
    this.words = wordsFor(sets.length);
    this.#alphabet = new Alphabet(sets, this.words);
    this.#within = createMoves(within, this.words);
    this.#atBoundary = atBoundary === within ? this.#within : createMoves(atBoundary, this.words);
    const touched = Math.max(this.#within.wordsTouched, this.#atBoundary.wordsTouched);
    this.price = STEPS_OF_CHARACTER + Math.ceil(touched / WORDS_OF_STEP);
  }

  /** The moves at the place before a character. */
  movesAt(text: string, at: number): Moves {
    if (this.#within === this.#atBoundary) return this.#within;
    // Outside of the text, charCodeAt returns NaN, which is in no word.
    return isWord(text.charCodeAt(at - 1)) === isWord(text.charCodeAt(at)) ? this.#within : this.#atBoundary;
  }

  /**
   * Reads a character.
   * @param moves those before it
   * @param next those after it
   * @param rows has the positions before it from `from` on, and gets those after it at `to`
   * @returns whether a match ends after the character
   */
  forwards(code: number, moves: Moves, next: Moves, rows: Bits, from: number, to: number): boolean {
    const { words } = this;
    const { first, shifts, bundles } = moves;
    for (let word = 0; word < words; word += 1) rows[to + word] = first[word] ?? 0;
    for (let entry = 0; entry < shifts.length; entry += 4) {
      const moved = (rows[from + (shifts[entry] ?? 0)] ?? 0) & (shifts[entry + 1] ?? 0);
      if (moved === 0) continue;
      const target = to + (shifts[entry + 2] ?? 0);
      const bits = shifts[entry + 3] ?? 0;
      rows[target] = (rows[target] ?? 0) | (moved << bits);
      const carried = bits === 0 ? 0 : moved >>> (32 - bits);
      if (carried !== 0) rows[target + 1] = (rows[target + 1] ?? 0) | carried;
    }
    for (let entry = 0; entry < bundles.length;) {
      const sources = entry + 2;
      const targets = sources + 2 * (bundles[entry] ?? 0);
      const end = targets + 2 * (bundles[entry + 1] ?? 0);
      if (meets(rows, from, bundles, sources, targets)) add(rows, to, bundles, targets, end);
      entry = end;
    }
    const row = this.#alphabet.rowOf(code);
    const { bits } = this.#alphabet;
    const { last } = next;
    let ends = 0;
    for (let word = 0; word < words; word += 1) {
      const kept = (rows[to + word] ?? 0) & (bits[row + word] ?? 0);
      rows[to + word] = kept;
      ends |= kept & (last[word] ?? 0);
    }
    return ends !== 0;
  }

  /**
   * Reads a character from its end.
   * @param moves those after it
   * @param after the positions of the next character from which a match can be completed, of those that are reached
   * @param reached the positions of this character, from `row` on
   * @param before gets those of this character
   * @returns whether there is one
   */
  backwards(moves: Moves, after: Bits, reached: Bits, row: number, before: Bits): boolean {
    const { words } = this;
    const { last, shifts, bundles } = moves;
    for (let word = 0; word < words; word += 1) before[word] = last[word] ?? 0;
    for (let entry = 0; entry < shifts.length; entry += 4) {
      const source = shifts[entry] ?? 0;
      const target = shifts[entry + 2] ?? 0;
      const bits = shifts[entry + 3] ?? 0;
      const carried = bits === 0 ? 0 : (after[target + 1] ?? 0) << (32 - bits);
      const moved = ((after[target] ?? 0) >>> bits) | carried;
      before[source] = (before[source] ?? 0) | (moved & (shifts[entry + 1] ?? 0));
    }
    for (let entry = 0; entry < bundles.length;) {
      const sources = entry + 2;
      const targets = sources + 2 * (bundles[entry] ?? 0);
      const end = targets + 2 * (bundles[entry + 1] ?? 0);
      if (meets(after, 0, bundles, targets, end)) add(before, 0, bundles, sources, targets);
      entry = end;
    }
    let any = 0;
    for (let word = 0; word < words; word += 1) {
      const kept = (before[word] ?? 0) & (reached[row + word] ?? 0);
      before[word] = kept;
      any |= kept;
    }
    return any !== 0;
  }
}

/** Whether a row has one of the bits that are listed by their words. */
function meets(rows: Bits, row: number, listed: Int32Array, from: number, to: number): boolean {
  for (let entry = from; entry < to; entry += 2)
    if (((rows[row + (listed[entry] ?? 0)] ?? 0) & (listed[entry + 1] ?? 0)) !== 0) return true;
  return false;
}

function add(rows: Bits, row: number, listed: Int32Array, from: number, to: number): void {
  for (let entry = from; entry < to; entry += 2) {
    const word = row + (listed[entry] ?? 0);
    rows[word] = (rows[word] ?? 0) | (listed[entry + 1] ?? 0);
  }
}
