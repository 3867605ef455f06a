import type { Span, TextDetector } from '../../../core/api/internal.ts';
import { Automaton, consumes, type State } from './automaton.ts';
import { parsePattern } from './parse.ts';
import { compileProgram, lengthsOf, type Instruction } from './program.ts';

/** Searches texts for one pattern. */
class Search {
  readonly #program: readonly Instruction[];
  readonly #forwards: Automaton;
  readonly #backwards: Automaton;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    this.#forwards = new Automaton(program, true);
    this.#backwards = new Automaton(program, false);
  }

  /**
   * Finds every character that any match covers. The time is linear in the length of the text: it is read once, and
   * twice more if it has a match.
   */
  find(text: string): readonly Span[] {
    return this.#hasMatch(text) ? this.#listCovered(text, this.#readForwards(text)) : [];
  }

  #hasMatch(text: string): boolean {
    const match = this.#program.length - 1;
    let state = this.#forwards.begin(text);
    for (let at = 0; at < text.length; at += 1) {
      state = this.#forwards.step(state, text, at);
      if (state.has.has(match)) return true;
    }
    return false;
  }

  #readForwards(text: string): readonly State[] {
    const states = [this.#forwards.begin(text)];
    for (let at = 0; at < text.length; at += 1) states.push(this.#forwards.step(states[at] as State, text, at));
    return states;
  }

  /** A character is covered if a match that began before it can be completed after it. */
  #listCovered(text: string, before: readonly State[]): readonly Span[] {
    const spans: Span[] = [];
    let end: number | undefined;
    let after = this.#backwards.begin(text);
    for (let at = text.length - 1; at >= 0; at -= 1) {
      const isCovered = this.#passes(before[at], text.charCodeAt(at), after);
      if (isCovered) end ??= at + 1;
      else if (end !== undefined) {
        spans.push({ start: at + 1, end });
        end = undefined;
      }
      after = this.#backwards.step(after, text, at);
    }
    if (end !== undefined) spans.push({ start: 0, end });
    return spans.reverse();
  }

  #passes(before: State | undefined, code: number, after: State): boolean {
    return before?.places.some((place) => after.has.has(place + 1) && consumes(this.#program[place], code)) === true;
  }
}

/** @throws Error that says what is wrong with the pattern, and where */
export function compilePattern(source: string): TextDetector {
  const pattern = parsePattern(source);
  const { min, max } = lengthsOf(pattern.node);
  if (min === 0) throw new Error('The pattern matches the empty text. Make a part of it mandatory.');
  const search = new Search(compileProgram(pattern));
  return { maxLength: max, find: (text) => search.find(text) };
}
