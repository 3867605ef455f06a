import type { Instruction } from './program.ts';
import { isWord } from './characters.ts';

/** A set of instructions at a place in a text. */
export interface State {
  readonly places: readonly number[];
  readonly has: ReadonlySet<number>;
  /** By the character that was passed, and the one on its other side. */
  readonly next: Map<number, State>;
}

/** Memory of an automaton. Beyond it, the states are built anew. */
const MOST_STATES = 2_000;
const MOST_EDGES = 1_000;
/** No character: the start or the end of the text. */
const NONE = -1;

const codeAt = (text: string, at: number): number => (at < 0 || at >= text.length ? NONE : text.charCodeAt(at));
const isBoundary = (before: number, after: number): boolean => isWord(before) !== isWord(after);

/**
 * The automaton of a program, whose states are built when a text needs them. Forwards, a state has the instructions
 * that a match can have reached; backwards, those from which a match can be completed.
 */
export class Automaton {
  readonly #program: readonly Instruction[];
  readonly #isForward: boolean;
  /** Instructions that are connected without a character, in the direction of the search. */
  readonly #edges: readonly (readonly number[])[];
  #states = new Map<string, State>();

  constructor(program: readonly Instruction[], isForward: boolean) {
    this.#program = program;
    this.#isForward = isForward;
    const edges: number[][] = program.map(() => []);
    for (const [place, instruction] of program.entries())
      for (const to of targetsOf(instruction, place))
        (isForward ? edges[place] : edges[to])?.push(isForward ? to : place);
    this.#edges = edges;
  }

  /** The state before the first character, or backwards after the last one. */
  begin(text: string): State {
    const at = this.#isForward ? 0 : text.length;
    return this.#close([], codeAt(text, at - 1), codeAt(text, at));
  }

  /** The state after the character at `at`, or backwards before it. */
  step(state: State, text: string, at: number): State {
    const code = text.charCodeAt(at);
    const other = codeAt(text, this.#isForward ? at + 1 : at - 1);
    const key = code * 2 + (isWord(other) ? 1 : 0);
    let next = state.next.get(key);
    if (next === undefined) {
      next = this.#isForward
        ? this.#close(this.#listAfter(state, code), code, other)
        : this.#close(this.#listBefore(state, code), other, code);
      if (state.next.size < MOST_EDGES) state.next.set(key, next);
    }
    return next;
  }

  #listAfter({ places }: State, code: number): number[] {
    return places.filter((place) => consumes(this.#program[place], code)).map((place) => place + 1);
  }

  #listBefore({ has }: State, code: number): number[] {
    return [...this.#program.keys()].filter((place) => has.has(place + 1) && consumes(this.#program[place], code));
  }

  /** Adds what is reached without a character. A match can begin, or backwards end, at every place. */
  #close(places: number[], before: number, after: number): State {
    const open = [...places, this.#isForward ? 0 : this.#program.length - 1];
    const has = new Set<number>();
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (has.has(place)) continue;
      has.add(place);
      for (const to of this.#edges[place] ?? []) {
        const passed = this.#program[this.#isForward ? place : to];
        if (passed?.do !== 'boundary' || isBoundary(before, after) !== passed.isNegated) open.push(to);
      }
    }
    return this.#intern(
      [...has].sort((one, other) => one - other),
      has,
    );
  }

  #intern(places: readonly number[], has: ReadonlySet<number>): State {
    const key = places.join(' ');
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    // States that are still in use stay valid: they refer to each other.
    if (this.#states.size >= MOST_STATES) this.#states = new Map();
    const state: State = { places, has, next: new Map() };
    this.#states.set(key, state);
    return state;
  }
}

export const consumes = (instruction: Instruction | undefined, code: number): boolean =>
  instruction?.do === 'consume' && instruction.set(code);

const targetsOf = (instruction: Instruction, place: number): readonly number[] => {
  if (instruction.do === 'split') return [instruction.first, instruction.second];
  return instruction.do === 'boundary' ? [place + 1] : [];
};
