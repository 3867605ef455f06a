import type { Charge } from '../store.ts';
import { LINKS, RECORDS, type Arena } from '../../../../core/api/internal.ts';
import { DIGEST } from './entry.ts';

/** The thread that has taken it, the number of its charges (0: it is settled), and for how many it has room. */
const [OWNER, LENGTH, ROOM] = [1, 2, 3];
const FIRST_CHARGE = 7;
/** The entry and the beginning of its digest, what was taken and what stays counted, and where it was counted. */
const [AT, ENTRY_DIGEST, AMOUNT, KEPT, MARK] = [0, 1, 2, 3, 4];
const CHARGE_SIZE = 5;

/** Releases one charge of a thread that has ended. */
export type ReleaseCharge = (at: number, amount: number, kept: number, mark: number) => void;

const sizeOf = (charges: number): number => FIRST_CHARGE + charges * CHARGE_SIZE;

/**
 * What each thread has reserved and not settled: the main thread releases it when the thread has ended. A thread keeps
 * its records, and uses them again.
 */
export class Held {
  readonly #arena: Arena;
  readonly #owner: number;
  /** The settled records of this thread, by their room. */
  readonly #settled = new Map<number, number[]>();

  constructor(arena: Arena, owner: number) {
    this.#arena = arena;
    this.#owner = owner;
  }

  /** The last change before a commit. @returns where it is noted */
  add(places: readonly number[], charges: readonly Charge[], marks: readonly number[]): number {
    const arena = this.#arena;
    const settled = this.#settledOf(charges.length);
    const record = settled.at(-1) ?? this.#create(charges.length);
    for (let index = 0, at = record + FIRST_CHARGE; index < charges.length; index += 1, at += CHARGE_SIZE) {
      const { amount = 0, kept = 0 } = charges[index] ?? {};
      const place = places[index] ?? 0;
      arena.note(at + AT, place);
      arena.note(at + ENTRY_DIGEST, arena.get(place + DIGEST));
      arena.note(at + AMOUNT, amount);
      arena.note(at + KEPT, kept);
      arena.note(at + MARK, marks[index] ?? 0);
    }
    arena.put(record + LENGTH, charges.length);
    settled.pop();
    return record;
  }

  /** The last change before a commit. */
  remove(record: number): void {
    this.#arena.put(record + LENGTH, 0);
    this.#settledOf(this.#arena.get(record + ROOM)).push(record);
  }

  /** Removes the first record of a thread that has ended. @returns false if there is none */
  release(owner: number, release: ReleaseCharge): boolean {
    const arena = this.#arena;
    let record = arena.next(RECORDS, LINKS);
    while (record !== RECORDS && arena.get(record + OWNER) !== owner) record = arena.next(record, LINKS);
    if (record === RECORDS) return false;
    const end = record + sizeOf(arena.get(record + LENGTH));
    for (let at = record + FIRST_CHARGE; at < end; at += CHARGE_SIZE) {
      const place = arena.get(at + AT);
      // An entry that was dropped counts nothing of it any more.
      if (arena.get(at + AMOUNT) > 0 && arena.get(place + DIGEST) === arena.get(at + ENTRY_DIGEST))
        release(place, arena.get(at + AMOUNT), arena.get(at + KEPT), arena.get(at + MARK));
    }
    arena.unlink(record, LINKS);
    arena.free(record, sizeOf(arena.get(record + ROOM)));
    return true;
  }

  #settledOf(room: number): number[] {
    const known = this.#settled.get(room);
    if (known !== undefined) return known;
    const settled: number[] = [];
    this.#settled.set(room, settled);
    return settled;
  }

  #create(room: number): number {
    const record = this.#arena.allocate(sizeOf(room));
    this.#arena.put(record + OWNER, this.#owner);
    this.#arena.put(record + ROOM, room);
    this.#arena.append(RECORDS, record, LINKS);
    return record;
  }
}
