/** The owner word of the main thread. A worker has one of its own. */
const MAIN = 1;
/** A write to a pipe takes some microseconds. A thread that waits longer than this queues its lines. */
const [SPINS, WAITS, WAIT_MS] = [200, 20, 1];

/**
 * Lets one thread of this process write to a pipe at a time. The kernel accepts a long line in parts while the reader
 * is behind, and lines of other threads would stand within it. Only the main thread holds the pipe across such a line:
 * a worker passes the rest of its line on, since it could die before it can write it.
 */
export class PipeLock {
  /** For `new PipeLock(worker, memory)` in a worker thread. */
  readonly memory: SharedArrayBuffer;
  /** The owner; below zero while it is within a line; 0: free. */
  readonly #word: Int32Array<SharedArrayBuffer>;
  readonly #owner: number;
  readonly #passRest: ((rest: Uint8Array) => void) | undefined;

  /**
   * @param worker number of the worker; 0 in the main thread
   * @param passRest in a worker: makes the main thread write the rest of a line
   */
  constructor(worker = 0, memory = new SharedArrayBuffer(4), passRest?: (rest: Uint8Array) => void) {
    this.memory = memory;
    this.#word = new Int32Array(memory);
    this.#owner = MAIN + worker;
    this.#passRest = passRest;
  }

  /**
   * @param isRest of a line that was begun
   * @returns false if another line is not whole, or a thread does not leave: try again later
   */
  enter(isRest: boolean): boolean {
    for (let tries = 0; tries < SPINS + WAITS; tries += 1) {
      const holder = Atomics.compareExchange(this.#word, 0, 0, this.#owner);
      if (holder === 0) return true;
      if (holder < 0) return isRest;
      if (tries >= SPINS) Atomics.wait(this.#word, 0, holder, WAIT_MS);
    }
    return false;
  }

  /** All lines are whole. */
  leave(): void {
    this.#set(0);
  }

  /** A part of a line is written. @returns whether another thread writes the rest */
  leaveWithin(rest: Uint8Array): boolean {
    this.#set(-MAIN);
    this.#passRest?.(rest);
    return this.#passRest !== undefined;
  }

  /** A worker has ended, perhaps right after a write. */
  release(worker: number): void {
    if (Atomics.compareExchange(this.#word, 0, MAIN + worker, 0) === MAIN + worker) Atomics.notify(this.#word, 0);
  }

  #set(value: number): void {
    Atomics.store(this.#word, 0, value);
    Atomics.notify(this.#word, 0);
  }
}
