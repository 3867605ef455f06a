import { GatewayError } from '../../errors/gateway-error.ts';
import { Lock } from './lock.ts';

// The words of a shard. The lock is in word 0.
const [CAPACITY, LOGGED] = [1, 2];
/** Where the words end that are in blocks. */
export const TOP = 3;
/** When the shard was last entered, in monotonic milliseconds. */
const SEEN = 4;
/** Words that {@link Arena} does not use itself. */
export const [EPOCH, CURSOR, NAMED] = [5, 6, 7] as const;
/** Where a block has its links in each of two lists: the previous block, followed by the next. */
export const [LINKS, NAMED_LINKS] = [5, 7] as const;
/** Two blocks whose links are the beginnings of lists. */
export const [ROOT, RECORDS] = [16, 32] as const;
/** The first free block of each size. */
const FREE = 48;
/** Blocks have a multiple of this many words, and at most as many multiples. */
const [UNIT, SIZES] = [16, 64];
const LOG = FREE + SIZES + 1;
/** What one call can change, in words. */
const MAX_LOGGED = 8_192;
/** A power of two. */
export const HEADS = 16_384;
export const FIRST_HEAD = LOG + 2 * MAX_LOGGED;
/** A block that stays empty: it is read for a bucket that has counted nothing. */
export const EMPTY = FIRST_HEAD + HEADS;
const FIRST_BLOCK = EMPTY + UNIT * SIZES;

const WORD = Float64Array.BYTES_PER_ELEMENT;
/** 512 KB at first. 512 MB at most, of which only what is used is taken from the system. */
const [FIRST_CAPACITY, MAX_CAPACITY] = [65_536, 67_108_864];

const initialize = (memory: SharedArrayBuffer): SharedArrayBuffer => {
  const words = new Float64Array(memory);
  words[CAPACITY] = FIRST_CAPACITY;
  words[TOP] = FIRST_BLOCK;
  words[CURSOR] = ROOT;
  for (const list of [ROOT, RECORDS])
    for (const links of [LINKS, NAMED_LINKS]) words.fill(list, list + links, list + links + 2);
  return memory;
};

/** The memory of some shards, for threads of one process. */
export const createMemory = (shards: number): readonly SharedArrayBuffer[] =>
  Array.from({ length: shards }, () =>
    initialize(new SharedArrayBuffer(FIRST_CAPACITY * WORD, { maxByteLength: MAX_CAPACITY * WORD })),
  );

/**
 * The words of one shard, in blocks. Between `enter` and `leave` they belong to one thread. A change is logged with
 * what was there before, until it is committed: what a call has begun is undone if it throws, or if its thread ends.
 */
export class Arena {
  readonly #memory: SharedArrayBuffer;
  readonly #lock: Lock;
  #words: Float64Array;

  /** @param owner and the others: as for {@link Lock} */
  constructor(memory: SharedArrayBuffer, owner: number, patienceMs: number) {
    this.#memory = memory;
    this.#lock = new Lock(memory, owner, patienceMs);
    this.#words = new Float64Array(memory, 0, FIRST_CAPACITY);
  }

  /**
   * @param monotonic by the clock of this thread
   * @returns the same, or later if another thread has been here: the clocks of threads differ by parts of a millisecond
   * @throws GatewayError if another thread does not leave
   */
  enter(monotonic: number): number {
    this.#lock.enter();
    this.#seeAll();
    const seen = this.get(SEEN);
    if (seen > monotonic) return seen;
    this.#words[SEEN] = monotonic;
    return monotonic;
  }

  /** From here on the changes are not undone. */
  commit(): void {
    this.#words[LOGGED] = 0;
  }

  /** Undoes what is not committed. */
  leave(): void {
    if (this.get(LOGGED) > 0) this.#undo();
    this.#lock.leave();
  }

  /** Undoes what a thread was changing when it ended. Nothing, if it was changing nothing. */
  recover(owner: number): void {
    if (!this.#lock.takeFrom(owner)) return;
    this.#seeAll();
    this.leave();
  }

  get(at: number): number {
    return this.#words[at] ?? 0;
  }

  put(at: number, value: number): void {
    const words = this.#words;
    const logged = words[LOGGED] ?? 0;
    if (logged >= MAX_LOGGED)
      throw new GatewayError('internal_error', 'This changes too much of the shared memory in one step.');
    const entry = LOG + 2 * logged;
    words[entry] = at;
    words[entry + 1] = words[at] ?? 0;
    words[LOGGED] = logged + 1;
    words[at] = value;
  }

  /** Writes without the log: a word that means nothing until a further one is changed by `put`. */
  note(at: number, value: number): void {
    this.#words[at] = value;
  }

  add(at: number, amount: number): void {
    this.put(at, this.get(at) + amount);
  }

  /** @returns a block of zeros. @throws GatewayError if the shard is full */
  allocate(size: number): number {
    if (size > UNIT * SIZES)
      throw new GatewayError('internal_error', 'This is too long for one block of the shared memory.');
    const free = FREE + Math.ceil(size / UNIT);
    const known = this.get(free);
    if (known !== 0) {
      this.put(free, this.get(known));
      for (let at = known; at < known + size; at += 1) if (this.get(at) !== 0) this.put(at, 0);
      return known;
    }
    const block = this.get(TOP);
    const top = block + Math.ceil(size / UNIT) * UNIT;
    if (top > MAX_CAPACITY) throw new GatewayError('internal_error', 'The shared memory is full.');
    if (top > this.#words.length) this.#grow();
    this.put(TOP, top);
    return block;
  }

  free(block: number, size: number): void {
    const free = FREE + Math.ceil(size / UNIT);
    this.put(block, this.get(free));
    this.put(free, block);
  }

  /** Adds a block at the end of a list. @param links of the blocks in this list */
  append(list: number, block: number, links: number): void {
    const last = this.get(list + links);
    this.put(block + links, last);
    this.put(block + links + 1, list);
    this.put(last + links + 1, block);
    this.put(list + links, block);
  }

  unlink(block: number, links: number): void {
    const previous = this.get(block + links);
    const next = this.get(block + links + 1);
    this.put(previous + links + 1, next);
    this.put(next + links, previous);
    this.put(block + links, 0);
    this.put(block + links + 1, 0);
  }

  /** The block after another one in a list, which ends with its beginning. */
  next(block: number, links: number): number {
    return this.get(block + links + 1);
  }

  previous(block: number, links: number): number {
    return this.get(block + links);
  }

  /** Another thread may have made the shard larger. */
  #seeAll(): void {
    const capacity = this.get(CAPACITY);
    if (capacity !== this.#words.length) this.#words = new Float64Array(this.#memory, 0, capacity);
  }

  #undo(): void {
    const words = this.#words;
    for (let logged = this.get(LOGGED); logged > 0; logged -= 1) {
      const entry = LOG + 2 * (logged - 1);
      words[words[entry] ?? 0] = words[entry + 1] ?? 0;
      words[LOGGED] = logged - 1;
    }
  }

  #grow(): void {
    const capacity = Math.min(MAX_CAPACITY, this.#words.length * 2);
    this.#memory.grow(capacity * WORD);
    this.#words = new Float64Array(this.#memory, 0, capacity);
    this.#words[CAPACITY] = capacity;
  }
}
