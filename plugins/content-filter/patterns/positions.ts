import type { CharacterSet } from './characters.ts';
import type { Instruction } from './program.ts';

/** Where a match can go at a place of a text. Positions are numbered as in {@link Positions}. */
export interface Transitions {
  /** Where a match can begin. */
  readonly first: readonly number[];
  /** By position: the ones that can follow it. */
  readonly next: readonly (readonly number[])[];
  /** Where a match can end. */
  readonly last: readonly number[];
}

/** A program without the instructions that take no character: the automaton of Glushkov. */
export interface Positions {
  /** The characters of each position. */
  readonly sets: readonly CharacterSet[];
  /** The transitions within and between words, and those at a boundary of a word. The same where none is asked for. */
  readonly within: Transitions;
  readonly atBoundary: Transitions;
}

/** Limits the time and memory that compiling a pattern takes. */
const MOST_TRANSITIONS = 30_000;

const targetsOf = (instruction: Instruction, place: number, isBoundary: boolean): readonly number[] => {
  if (instruction.do === 'split') return [instruction.first, instruction.second];
  return instruction.do === 'boundary' && isBoundary !== instruction.isNegated ? [place + 1] : [];
};

/** Reads the transitions from a program. */
class Reader {
  readonly #program: readonly Instruction[];
  /** The position of each instruction that takes a character. */
  readonly #positions: readonly number[];
  #count = 0;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    let count = 0;
    this.#positions = program.map((instruction) => (instruction.do === 'consume' ? count++ : -1));
  }

  read(isBoundary: boolean): Transitions {
    const last: number[] = [];
    const next: number[][] = [];
    for (const [place, position] of this.#positions.entries()) {
      if (position === -1) continue;
      const { reached, isMatch } = this.#reach(place + 1, isBoundary);
      if (isMatch) last.push(position);
      next.push(reached);
    }
    return { first: this.#reach(0, isBoundary).reached, next, last };
  }

  /** The positions that are reached from an instruction without a character. */
  #reach(from: number, isBoundary: boolean): { readonly reached: number[]; readonly isMatch: boolean } {
    const reached: number[] = [];
    const seen = new Set<number>();
    const open = [from];
    let isMatch = false;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const instruction = this.#program[place];
      if (instruction === undefined || seen.has(place)) continue;
      seen.add(place);
      if (instruction.do === 'match') isMatch = true;
      else if (instruction.do === 'consume') reached.push(this.#positions[place] ?? 0);
      else open.push(...targetsOf(instruction, place, isBoundary));
    }
    this.#count += reached.length;
    if (this.#count > MOST_TRANSITIONS)
      throw new Error('The pattern has too many optional parts in a row. Write a{0,9} in place of (a?){9}.');
    return { reached, isMatch };
  }
}

/** @throws Error if the pattern has too many transitions */
export function readPositions(program: readonly Instruction[]): Positions {
  const reader = new Reader(program);
  const within = reader.read(false);
  const hasBoundary = program.some((instruction) => instruction.do === 'boundary');
  return {
    sets: program.flatMap((instruction) => (instruction.do === 'consume' ? instruction.set : [])),
    within,
    atBoundary: hasBoundary ? reader.read(true) : within,
  };
}
