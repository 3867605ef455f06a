import { hash } from 'node:crypto';
import type { SharedTable, SharedTableOptions } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Arena, FIRST_HEAD, HEADS, LINKS, NAMED, ROOT } from './arena.ts';
import { entrantOf } from './lock.ts';

// The words of a row.
/** The next row whose key has the same head. */
const CHAIN = 0;
/** The digest of its key, in two numbers of 48 bits. */
const [DIGEST, DIGEST_END] = [1, 2];
/** Where its numbers begin, after its links among all rows, the one first that was changed least recently. */
const NUMBERS = LINKS + 2;
const DIGEST_BYTES = 6;
/** The word with the number of rows. */
const ROWS = NAMED;

interface Key {
  readonly digest: number;
  readonly digestEnd: number;
}
const keyOf = (text: string): Key => {
  const digest = hash('sha256', text, 'buffer');
  return {
    digest: digest.readUIntBE(0, DIGEST_BYTES) || 1,
    digestEnd: digest.readUIntBE(DIGEST_BYTES, DIGEST_BYTES),
  };
};
const headOf = (digestEnd: number): number => FIRST_HEAD + (digestEnd % HEADS);
const misuse = (text: string): GatewayError => new GatewayError('internal_error', text);

/** A shared table as one thread sees it. */
export class MemoryTable<Column extends string> implements SharedTable<Column> {
  readonly #arena: Arena;
  readonly #columns: readonly Column[];
  readonly #rows: number;
  #isInside = false;

  /** @param memory of one shard of `createMemory` @param worker the thread: 0 is the main thread */
  constructor(memory: SharedArrayBuffer, worker: number, { columns, rows }: SharedTableOptions<Column>) {
    this.#arena = new Arena(memory, ...entrantOf(worker));
    this.#columns = columns;
    this.#rows = rows;
  }

  add(key: string, column: Column, amount: number): number {
    const place = NUMBERS + this.#columns.indexOf(column);
    if (place < NUMBERS) throw misuse(`The shared table has no column ${column}, only ${this.#columns.join(', ')}.`);
    return this.#within(key, (given) => {
      const at = this.#keep(given);
      this.#put(at + place, this.#arena.get(at + place) + amount);
      return this.#arena.get(at + place);
    });
  }

  update<T>(key: string, change: (row: Record<Column, number>) => T): T {
    return this.#within(key, (given) => {
      const at = this.#keep(given);
      const row = this.#read(at);
      const result = change(row);
      if (result instanceof Promise)
        throw misuse(
          'The function that changes a row of a shared table returned a promise: other threads wait for it.',
        );
      for (const [index, column] of this.#columns.entries()) this.#put(at + NUMBERS + index, row[column]);
      return result;
    });
  }

  read(key: string): Readonly<Record<Column, number>> | undefined {
    return this.#within(key, (given) => {
      const at = this.#find(given);
      return at === 0 ? undefined : this.#read(at);
    });
  }

  delete(key: string): void {
    this.#within(key, (given) => {
      const at = this.#find(given);
      if (at !== 0) this.#drop(at);
    });
  }

  /** Undoes what a worker was changing when it ended. */
  recover(worker: number): void {
    this.#arena.recover(entrantOf(worker)[0]);
  }

  /** What has been changed is undone if the call throws, or if this thread ends within it. */
  #within<T>(text: string, call: (key: Key) => T): T {
    if (this.#isInside) throw misuse('A shared table was used by a function that changes one of its rows.');
    const key = keyOf(text);
    const arena = this.#arena;
    arena.enter(0);
    this.#isInside = true;
    try {
      const result = call(key);
      arena.commit();
      return result;
    } finally {
      this.#isInside = false;
      arena.leave();
    }
  }

  #find({ digest, digestEnd }: Key): number {
    const arena = this.#arena;
    let at = arena.get(headOf(digestEnd));
    while (at !== 0 && (arena.get(at + DIGEST) !== digest || arena.get(at + DIGEST_END) !== digestEnd))
      at = arena.get(at + CHAIN);
    return at;
  }

  /** The row of a key, which is created if there is none. It becomes the one that was changed last. */
  #keep(key: Key): number {
    const arena = this.#arena;
    const known = this.#find(key);
    if (known !== 0) {
      if (arena.previous(ROOT, LINKS) === known) return known;
      arena.unlink(known, LINKS);
      arena.append(ROOT, known, LINKS);
      return known;
    }
    if (arena.get(ROWS) >= this.#rows) this.#drop(arena.next(ROOT, LINKS));
    const at = arena.allocate(NUMBERS + this.#columns.length);
    const head = headOf(key.digestEnd);
    arena.put(at + CHAIN, arena.get(head));
    arena.put(head, at);
    arena.put(at + DIGEST, key.digest);
    arena.put(at + DIGEST_END, key.digestEnd);
    arena.append(ROOT, at, LINKS);
    arena.add(ROWS, 1);
    return at;
  }

  #drop(at: number): void {
    const arena = this.#arena;
    let before = headOf(arena.get(at + DIGEST_END));
    // The head of a chain is its first word, as it is of a row.
    while (arena.get(before + CHAIN) !== at) before = arena.get(before + CHAIN);
    arena.put(before + CHAIN, arena.get(at + CHAIN));
    arena.unlink(at, LINKS);
    arena.add(ROWS, -1);
    arena.free(at, NUMBERS + this.#columns.length);
  }

  #read(at: number): Record<Column, number> {
    const numbers = this.#columns.map((column, index) => [column, this.#arena.get(at + NUMBERS + index)]);
    return Object.fromEntries(numbers) as Record<Column, number>;
  }

  #put(at: number, value: number): void {
    if (!Number.isFinite(value)) throw misuse(`A shared table cannot have the number ${value}.`);
    if (this.#arena.get(at) !== value) this.#arena.put(at, value);
  }
}
