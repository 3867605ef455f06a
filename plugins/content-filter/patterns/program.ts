import { createSet, type CharacterSet } from './characters.ts';
import type { Node, Pattern } from './parse.ts';

/** One step of an automaton. `consume` takes a character, the others take none. */
export type Instruction =
  | { readonly do: 'consume'; readonly set: CharacterSet }
  | { readonly do: 'boundary'; readonly isNegated: boolean }
  | { do: 'split'; first: number; second: number }
  | { readonly do: 'match' };

/** Limits the memory of a pattern, and the time that a character takes. */
const MOST_INSTRUCTIONS = 2_000;

/** The lengths of the shortest and the longest match. */
export function lengthsOf(node: Node): { readonly min: number; readonly max: number } {
  if (node.type === 'set') return { min: 1, max: 1 };
  if (node.type === 'boundary') return { min: 0, max: 0 };
  if (node.type === 'repeat') {
    const { min, max } = lengthsOf(node.node);
    return { min: min * node.min, max: max === 0 ? 0 : max * node.max };
  }
  const all = node.nodes.map(lengthsOf);
  const mins = all.map(({ min }) => min);
  const maxes = all.map(({ max }) => max);
  return node.type === 'choice'
    ? { min: Math.min(...mins), max: Math.max(...maxes) }
    : { min: mins.reduce((sum, min) => sum + min, 0), max: maxes.reduce((sum, max) => sum + max, 0) };
}

/** Compiles a pattern to the instructions of a Thompson automaton. */
class Compiler {
  readonly program: Instruction[] = [];
  readonly #ignoresCase: boolean;
  /** Repetitions of a node share its set. */
  readonly #sets = new Map<Node, CharacterSet>();

  constructor({ node, ignoresCase }: Pattern) {
    this.#ignoresCase = ignoresCase;
    this.#add(node);
    this.#push({ do: 'match' });
  }

  #push<T extends Instruction>(instruction: T): T {
    if (this.program.length >= MOST_INSTRUCTIONS)
      throw new Error('The pattern is too long, or has too many counted repetitions. Split it into several patterns.');
    this.program.push(instruction);
    return instruction;
  }

  #split(): { do: 'split'; first: number; second: number } {
    const next = this.program.length + 1;
    return this.#push({ do: 'split', first: next, second: next });
  }

  #add(node: Node): void {
    if (node.type === 'repeat') this.#repeat(node.node, node.min, node.max);
    else if (node.type === 'set') this.#consume(node);
    else if (node.type === 'boundary') this.#push({ do: 'boundary', isNegated: node.isNegated });
    else if (node.type === 'sequence') for (const each of node.nodes) this.#add(each);
    else this.#choose(node.nodes);
  }

  #consume(node: Extract<Node, { type: 'set' }>): void {
    const set = this.#sets.get(node) ?? createSet(node, this.#ignoresCase);
    this.#sets.set(node, set);
    this.#push({ do: 'consume', set });
  }

  #choose(nodes: readonly Node[]): void {
    const ends: { second: number }[] = [];
    for (const [index, node] of nodes.entries()) {
      const isLast = index === nodes.length - 1;
      const split = isLast ? undefined : this.#split();
      this.#add(node);
      if (split === undefined) break;
      // Continues behind the last alternative: both ways of this split lead there.
      ends.push(this.#split());
      split.second = this.program.length;
    }
    for (const end of ends) Object.assign(end, { first: this.program.length, second: this.program.length });
  }

  #repeat(node: Node, min: number, max: number): void {
    for (let count = 0; count < min; count += 1) this.#add(node);
    if (max === Number.POSITIVE_INFINITY) {
      const start = this.program.length;
      const split = this.#split();
      this.#add(node);
      const back = this.#split();
      Object.assign(back, { first: start, second: start });
      split.second = this.program.length;
      return;
    }
    const splits = [];
    for (let count = min; count < max; count += 1) {
      splits.push(this.#split());
      this.#add(node);
    }
    for (const split of splits) split.second = this.program.length;
  }
}

/** @throws Error if the pattern is too long */
export const compileProgram = (pattern: Pattern): readonly Instruction[] => new Compiler(pattern).program;
