import { Arena, entrantOf, NAMED } from '../../../../core/api/internal.ts';
import { Entries } from './entries.ts';
import { Held } from './held.ts';
import type { Moment } from './tally.ts';

/** Which thread uses a memory. */
export interface Thread {
  /** Number of the worker; 0 in the main thread. */
  readonly worker: number;
  /** What the clock of the main thread is ahead of that of this thread, in milliseconds. */
  readonly aheadMs: number;
}

const ownerOf = (worker: number): number => entrantOf(worker)[0];

/** The counts of some organizations, as one thread sees them. */
export class Shard {
  readonly arena: Arena;
  readonly entries: Entries;
  readonly held: Held;

  /** @param hasRoom as for {@link Entries} */
  constructor(memory: SharedArrayBuffer, { worker }: Thread, hasRoom: () => boolean) {
    this.arena = new Arena(memory, ...entrantOf(worker));
    this.entries = new Entries(this.arena, hasRoom);
    this.held = new Held(this.arena, ownerOf(worker));
  }

  /** How many entries of users and tags it has. Can be read from outside. */
  get named(): number {
    return this.arena.get(NAMED);
  }

  /**
   * Undoes what a worker that has ended was changing, and gives back what it held, except for what stays counted.
   * @throws GatewayError if another thread does not leave
   */
  release(worker: number, { monotonic, wall }: Moment): void {
    const { arena, entries, held } = this;
    arena.recover(ownerOf(worker));
    for (let isMore = true; isMore;) {
      const now = { monotonic: arena.enter(monotonic), wall };
      try {
        isMore = held.release(ownerOf(worker), (at, amount, kept, mark) =>
          entries.tallyAt(at).settle(at, { amount }, mark, kept, now, false),
        );
        arena.commit();
      } finally {
        arena.leave();
      }
    }
  }
}
