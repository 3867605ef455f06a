/** What is counted once: open connections, exchanges and uploads, bytes of uploads on disk, calls that are read on. */
export const [CONNECTIONS, EXCHANGES, UPLOADS, UPLOAD_BYTES, READ_ON] = [0, 1, 2, 3, 4] as const;
/** What is counted by name. Each kind has places of its own: bytes must not be taken for requests. */
const kinds = ['network', 'requests', 'uploads', 'upload bytes', 'read on'] as const;
const FIRST_NAMED = 5;
/** A prime: names are spread by the rest of a division. */
const NAMED = 16_381;
const SIZE = FIRST_NAMED + kinds.length * NAMED;

/** The start of a hash, a random number: no client can choose names that are counted together. */
const seedOf = (words: Float64Array): number => words[words.length - 1] ?? 0;

/** The memory in which so many threads count. */
export const createLoadMemory = (threads: number): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer((threads * SIZE + 1) * Float64Array.BYTES_PER_ELEMENT);
  new Float64Array(memory).fill(Math.floor(Math.random() * 2 ** 32), threads * SIZE);
  return memory;
};

/**
 * What the threads of a process hold together, for limits of the host. Each thread changes its own row alone, so there
 * is no lock: two threads that count at the same moment can both take the last place.
 */
export class HostLoad {
  readonly #words: Float64Array;
  readonly #row: number;

  /** @param memory of `createLoadMemory` @param thread from 0: its row, which no other living thread has */
  constructor(memory = createLoadMemory(1), thread = 0) {
    this.#words = new Float64Array(memory);
    this.#row = thread * SIZE;
  }

  /**
   * Where the count of a name is. With a chance of 1 in 16,000, two names of a kind have the same place and one count.
   */
  placeOf(kind: (typeof kinds)[number], name: string): number {
    let sum = seedOf(this.#words);
    for (let at = 0; at < name.length; at += 1) sum = Math.imul(sum ^ name.charCodeAt(at), 0x01_00_01_93);
    return FIRST_NAMED + kinds.indexOf(kind) * NAMED + ((sum >>> 0) % NAMED);
  }

  /** Adds to what this thread holds. @param amount below 0: it holds less */
  add(place: number, amount: number): void {
    const at = this.#row + place;
    this.#words[at] = (this.#words[at] ?? 0) + amount;
  }

  /** What this thread holds. */
  own(place: number): number {
    return this.#words[this.#row + place] ?? 0;
  }

  /** What all threads hold. */
  sum(place: number): number {
    let sum = 0;
    for (let at = place; at < this.#words.length - 1; at += SIZE) sum += this.#words[at] ?? 0;
    return sum;
  }

  /** Forgets what a thread held that has ended: its row is for the next one. */
  clear(): void {
    this.#words.fill(0, this.#row, this.#row + SIZE);
  }
}
