import type { Transitions } from './positions.ts';

/** Positions as bits, 32 in a word. */
export type Bits = Int32Array;

const WORD = 32;

export const wordsFor = (positions: number): number => Math.ceil(positions / WORD);

export function toBits(positions: Iterable<number>, words: number): Bits {
  const bits = new Int32Array(words);
  for (const position of positions) bits[position >> 5] = (bits[position >> 5] ?? 0) | (1 << (position & 31));
  return bits;
}

/** All transitions at a place of a text, in the form in which many are made at once. */
export interface Moves {
  readonly first: Bits;
  readonly last: Bits;
  /**
   * Transitions to positions at a fixed distance, as four numbers for each word of sources: the word, the sources, the
   * word of targets, and by how many bits they are shifted up.
   */
  readonly shifts: Int32Array;
  /**
   * Transitions from each of some positions to each of others: how many words have sources and how many have targets,
   * then each of these words and its bits.
   */
  readonly bundles: Int32Array;
  /** How many words are read or written for a character, at most. */
  readonly wordsTouched: number;
}

interface Bundle {
  readonly sources: Bits;
  readonly targets: Bits;
}

/** Transitions that one shift or one bundle can make. */
interface Group {
  readonly kind: 'distance' | 'source' | 'target';
  readonly value: number;
  readonly edges: number[];
}

/** Finds few shifts and bundles that make all transitions: always the group that makes most of those left per word. */
class Cover {
  readonly #words: number;
  readonly #sources: number[] = [];
  readonly #targets: number[] = [];
  readonly #groups: Group[] = [];
  readonly #groupsOf: number[][] = [];
  readonly #left: number[] = [];

  constructor({ next }: Transitions, words: number) {
    this.#words = words;
    const known = new Map<string, number>();
    for (const [source, targets] of next.entries()) {
      for (const target of targets) {
        const edge = this.#sources.length;
        this.#sources.push(source);
        this.#targets.push(target);
        const groups = [
          this.#add(known, 'distance', target - source, edge),
          this.#add(known, 'source', source, edge),
          this.#add(known, 'target', target, edge),
        ];
        this.#groupsOf.push(groups);
      }
    }
    this.#left = this.#groups.map(({ edges }) => edges.length);
  }

  #add(known: Map<string, number>, kind: Group['kind'], value: number, edge: number): number {
    const name = `${kind} ${value}`;
    const index = known.get(name) ?? this.#groups.length;
    known.set(name, index);
    const group = this.#groups[index] ?? { kind, value, edges: [] };
    this.#groups[index] = group;
    group.edges.push(edge);
    return index;
  }

  /** The words that a group reads and writes. */
  #costOf({ kind }: Group, left: number): number {
    return kind === 'distance' ? this.#words : 1 + Math.min(this.#words, left);
  }

  #findBest(): Group | undefined {
    let best: Group | undefined;
    let most = 0;
    for (const [index, group] of this.#groups.entries()) {
      const left = this.#left[index] ?? 0;
      const gain = left / this.#costOf(group, left);
      if (gain <= most) continue;
      most = gain;
      best = group;
    }
    return best;
  }

  list(): { readonly shifts: readonly number[]; readonly bundles: readonly Bundle[] } {
    const shifts: number[] = [];
    const bundles: Bundle[] = [];
    const isMade = new Uint8Array(this.#sources.length);
    for (let best = this.#findBest(); best !== undefined; best = this.#findBest()) {
      const edges = best.edges.filter((edge) => isMade[edge] === 0);
      for (const edge of edges) {
        isMade[edge] = 1;
        for (const group of this.#groupsOf[edge] ?? []) this.#left[group] = (this.#left[group] ?? 0) - 1;
      }
      const sources = toBits(
        edges.map((edge) => this.#sources[edge] ?? 0),
        this.#words,
      );
      const { kind, value } = best;
      if (kind === 'distance') {
        for (const [word, bits] of wordsOf(sources)) shifts.push(word, bits, word + (value >> 5), value & 31);
        continue;
      }
      bundles.push({
        sources,
        targets: toBits(
          edges.map((edge) => this.#targets[edge] ?? 0),
          this.#words,
        ),
      });
    }
    return { shifts, bundles: unite(unite(bundles, 'sources', 'targets'), 'targets', 'sources') };
  }
}

/** Unites bundles that have the same sources, or the same targets. */
function unite(bundles: readonly Bundle[], same: keyof Bundle, other: keyof Bundle): readonly Bundle[] {
  const united = new Map<string, Bundle>();
  for (const bundle of bundles) {
    const key = bundle[same].join();
    const known = united.get(key);
    const both = known === undefined ? bundle[other] : bundle[other].map((word, at) => word | (known[other][at] ?? 0));
    united.set(
      key,
      same === 'sources' ? { sources: bundle.sources, targets: both } : { targets: bundle.targets, sources: both },
    );
  }
  return [...united.values()];
}

const wordsOf = (bits: Bits): readonly (readonly [word: number, bits: number])[] =>
  [...bits.entries()].filter(([, word]) => word !== 0);

export function createMoves(transitions: Transitions, words: number): Moves {
  const { shifts, bundles } = new Cover(transitions, words).list();
  const listed = bundles.map(({ sources, targets }) => [wordsOf(sources), wordsOf(targets)] as const);
  return {
    first: toBits(transitions.first, words),
    last: toBits(transitions.last, words),
    shifts: Int32Array.from(shifts),
    bundles: Int32Array.from(
      listed.flatMap(([sources, targets]) => [sources.length, targets.length, ...sources.flat(), ...targets.flat()]),
    ),
    wordsTouched:
      words + shifts.length / 4 + listed.reduce((sum, [sources, targets]) => sum + sources.length + targets.length, 0),
  };
}
