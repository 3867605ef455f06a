import type { CharacterSet } from './characters.ts';
import { toBits, type Bits } from './moves.ts';

const CODE_UNITS = 65_536;

/** The positions that each character can be at. Characters that are in the same sets share a row. */
export class Alphabet {
  readonly #sets: readonly CharacterSet[];
  readonly #words: number;
  /** By code unit: the number of its row, plus 1; 0 until a text has it. */
  readonly #rows = new Uint16Array(CODE_UNITS);
  readonly #known = new Map<string, number>();
  /** All rows, one after the other. */
  bits: Bits;

  constructor(sets: readonly CharacterSet[], words: number) {
    this.#sets = sets;
    this.#words = words;
    this.bits = new Int32Array(8 * words);
  }

  /** Where the row of a character begins in `bits`. */
  rowOf(code: number): number {
    const row = this.#rows[code] ?? 0;
    return (row === 0 ? this.#add(code) : row - 1) * this.#words;
  }

  #add(code: number): number {
    const isIn = new Map<CharacterSet, boolean>();
    const positions = [...this.#sets.keys()].filter((position) => {
      const set = this.#sets[position];
      if (set === undefined) return false;
      const known = isIn.get(set) ?? set(code);
      isIn.set(set, known);
      return known;
    });
    const bits = toBits(positions, this.#words);
    const key = bits.join();
    const row = this.#known.get(key) ?? this.#known.size;
    if (row === this.#known.size) this.#append(key, bits);
    this.#rows[code] = row + 1;
    return row;
  }

  #append(key: string, bits: Bits): void {
    const start = this.#known.size * this.#words;
    if (start + this.#words > this.bits.length) {
      const larger = new Int32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits.set(bits, start);
    this.#known.set(key, this.#known.size);
  }
}
