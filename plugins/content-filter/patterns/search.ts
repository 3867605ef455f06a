import type { Span } from '../../../core/api/internal.ts';
import type { Steps } from '../steps.ts';
import { Automaton } from './automaton.ts';
import { parsePattern } from './parse.ts';
import { readPositions } from './positions.ts';
import { compileProgram, lengthsOf } from './program.ts';

/** A search that can be continued later. */
export type Search = Steps<readonly Span[]>;

/** What can be searched for. */
export interface Searcher {
  /** The length of the longest text that is found. */
  readonly maxLength: number;
  /** The steps that each character of a text takes, and three times that where something is found. */
  readonly price: number;
  /** Finds every character that any match covers, as spans in order that neither overlap nor touch. */
  search(text: string): Search;
}

/** Characters that are searched at a time, and steps that this takes at most. */
const MOST_CHARACTERS = 1_024;
const MOST_STEPS = 100_000;
/** The steps of a search, however short the text is. */
export const STEPS_OF_SEARCH = 50;
/** The steps of a span: the memory of it, and of what replaces it. */
const STEPS_OF_SPAN = 50;
const NOTHING: readonly Span[] = [];

class PatternSearch {
  readonly #automaton: Automaton;
  readonly #text: string;
  /** Characters in a block. */
  readonly #block: number;
  /** The positions at the start of each block. */
  readonly #starts: Int32Array;
  readonly #hasEnd: Uint8Array;

  constructor(automaton: Automaton, text: string) {
    this.#automaton = automaton;
    this.#text = text;
    this.#block = Math.max(1, Math.min(MOST_CHARACTERS, Math.floor(MOST_STEPS / automaton.price)));
    const blocks = Math.ceil(text.length / this.#block);
    this.#starts = new Int32Array(blocks * automaton.words);
    this.#hasEnd = new Uint8Array(blocks);
  }

  *run(): Search {
    if (yield* this.#findEnds()) return yield* this.#cover();
    return NOTHING;
  }

  /** Reads the text once. @returns whether there is a match */
  *#findEnds(): Steps<boolean> {
    const { words, price } = this.#automaton;
    const pair = new Int32Array(2 * words);
    let moves = this.#automaton.movesAt(this.#text, 0);
    let now = 0;
    let isFound = false;
    for (let block = 0; block < this.#hasEnd.length; block += 1) {
      this.#starts.set(pair.subarray(now, now + words), block * words);
      const start = block * this.#block;
      const end = Math.min(this.#text.length, start + this.#block);
      for (let at = start; at < end; at += 1) {
        const next = this.#automaton.movesAt(this.#text, at + 1);
        const code = this.#text.charCodeAt(at);
        if (this.#automaton.forwards(code, moves, next, pair, now, words - now)) this.#hasEnd[block] = 1;
        moves = next;
        now = words - now;
      }
      isFound ||= this.#hasEnd[block] === 1;
      yield price * (end - start) + (block === 0 ? STEPS_OF_SEARCH : 0);
    }
    return isFound;
  }

  /**
   * Reads the blocks with matches backwards. A character is covered if one of the positions that it is reached at leads
   * to the end of a match.
   */
  *#cover(): Search {
    const { words, price } = this.#automaton;
    const rows = new Int32Array((this.#block + 1) * words);
    const spans: Span[] = [];
    let [after, before] = [new Int32Array(words), new Int32Array(words)];
    let end: number | undefined;
    for (let block = this.#hasEnd.length - 1; block >= 0; block -= 1) {
      if (end === undefined && this.#hasEnd[block] === 0) continue;
      const known = spans.length;
      const start = block * this.#block;
      const length = this.#readBlock(block, rows);
      for (let index = length - 1; index >= 0; index -= 1) {
        const at = start + index;
        const moves = this.#automaton.movesAt(this.#text, at + 1);
        if (this.#automaton.backwards(moves, after, rows, (index + 1) * words, before)) end ??= at + 1;
        else if (end !== undefined) {
          spans.push({ start: at + 1, end });
          end = undefined;
        }
        [after, before] = [before, after];
      }
      yield 2 * price * length + STEPS_OF_SPAN * (spans.length - known);
    }
    if (end !== undefined) spans.push({ start: 0, end });
    return spans.reverse();
  }

  /** Reads a block again, and keeps the positions before each of its characters, and after the last one. */
  #readBlock(block: number, rows: Int32Array): number {
    const { words } = this.#automaton;
    const start = block * this.#block;
    const length = Math.min(this.#text.length - start, this.#block);
    rows.set(this.#starts.subarray(block * words, (block + 1) * words));
    let moves = this.#automaton.movesAt(this.#text, start);
    for (let index = 0; index < length; index += 1) {
      const next = this.#automaton.movesAt(this.#text, start + index + 1);
      const code = this.#text.charCodeAt(start + index);
      this.#automaton.forwards(code, moves, next, rows, index * words, (index + 1) * words);
      moves = next;
    }
    return length;
  }
}

/** @throws Error that says what is wrong with the pattern, and where */
export function compilePattern(source: string): Searcher {
  const pattern = parsePattern(source);
  const { min, max } = lengthsOf(pattern.node);
  if (min === 0) throw new Error('The pattern matches the empty text. Make a part of it mandatory.');
  const automaton = new Automaton(readPositions(compileProgram(pattern)));
  return { maxLength: max, price: automaton.price, search: (text) => new PatternSearch(automaton, text).run() };
}
