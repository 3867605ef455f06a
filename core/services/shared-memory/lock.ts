import { GatewayError } from '../../errors/gateway-error.ts';

/** A shard is held for about a microsecond: most waits end before a thread would be asleep. */
const SPINS = 200;
const WAIT_MS = 1;

/** The main thread waits shorter: it has to notice that a worker has ended. */
const [WORKER_PATIENCE_MS, MAIN_PATIENCE_MS] = [2_000, 100];

/** How a thread enters: its owner word, 0 is none, and how long it waits at most. @param worker 0: the main thread */
export const entrantOf = (worker: number): readonly [owner: number, patienceMs: number] => [
  worker + 1,
  worker === 0 ? MAIN_PATIENCE_MS : WORKER_PATIENCE_MS,
];

/** Positions of the owner, and of the number of threads that sleep. */
const [OWNER, ASLEEP] = [0, 1];

/** Lets one thread at a time into a shard. The word has its owner: a lock whose owner has ended is found by it. */
export class Lock {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #owner: number;
  readonly #patienceMs: number;

  /**
   * @param owner this thread, above 0
   * @param patienceMs how long a call waits at most: for the main thread to notice that the owner has ended
   */
  constructor(memory: SharedArrayBuffer, owner: number, patienceMs: number) {
    this.#words = new Int32Array(memory, 0, 2);
    this.#owner = owner;
    this.#patienceMs = patienceMs;
  }

  /** @throws GatewayError if another thread does not leave */
  enter(): void {
    if (Atomics.compareExchange(this.#words, OWNER, 0, this.#owner) !== 0) this.#wait();
  }

  leave(): void {
    Atomics.store(this.#words, OWNER, 0);
    if (Atomics.load(this.#words, ASLEEP) > 0) Atomics.notify(this.#words, OWNER, 1);
  }

  /** Takes the lock over from a thread that has ended. @returns false if that did not hold it */
  takeFrom(owner: number): boolean {
    return Atomics.compareExchange(this.#words, OWNER, owner, this.#owner) === owner;
  }

  #wait(): void {
    for (let spin = 0; spin < SPINS; spin += 1)
      if (Atomics.load(this.#words, OWNER) === 0 && Atomics.compareExchange(this.#words, OWNER, 0, this.#owner) === 0)
        return;
    const deadline = performance.now() + this.#patienceMs;
    Atomics.add(this.#words, ASLEEP, 1);
    try {
      for (;;) {
        const holder = Atomics.compareExchange(this.#words, OWNER, 0, this.#owner);
        if (holder === 0) return;
        if (performance.now() >= deadline)
          throw new GatewayError(
            'internal_error',
            `Another thread has not left the shared memory for ${this.#patienceMs} ms.`,
            { failure: 'timeout' },
          );
        Atomics.wait(this.#words, OWNER, holder, WAIT_MS);
      }
    } finally {
      Atomics.sub(this.#words, ASLEEP, 1);
    }
  }
}
