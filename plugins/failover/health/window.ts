export interface Count {
  readonly calls: number;
  readonly failures: number;
}
interface Slot {
  at: number;
  calls: number;
  failures: number;
}

/** The window advances by a tenth of its length. */
const SLOTS = 10;

const reset = (slot: Slot, at: number): void => {
  slot.at = at;
  slot.calls = 0;
  slot.failures = 0;
};

/** Counts recent calls, and how many of them failed. Monotonic milliseconds. */
export class CallWindow {
  readonly #lengthMs: () => number;
  readonly #slots: readonly Slot[] = Array.from({ length: SLOTS }, () => ({ at: -1, calls: 0, failures: 0 }));

  /** @param lengthMs read on every use: a reload can change it */
  constructor(lengthMs: () => number) {
    this.#lengthMs = lengthMs;
  }

  /** Counts a call that has ended. */
  add(now: number, failed: boolean): void {
    const slot = this.#slotAt(now);
    if (slot === undefined) return;
    slot.calls += 1;
    if (failed) slot.failures += 1;
  }

  /** A call that was added as good has failed later. */
  addLateFailure(now: number): void {
    const slot = this.#slotAt(now);
    if (slot !== undefined) slot.failures += 1;
  }

  count(now: number): Count {
    const oldest = this.#indexAt(now) - SLOTS + 1;
    let calls = 0;
    let failures = 0;
    for (const slot of this.#slots) {
      if (slot.at < oldest) continue;
      calls += slot.calls;
      failures += slot.failures;
    }
    // A call that failed late may have been added before the window.
    return { calls: Math.max(calls, failures), failures };
  }

  clear(): void {
    for (const slot of this.#slots) reset(slot, -1);
  }

  #indexAt(now: number): number {
    return Math.floor(now / (this.#lengthMs() / SLOTS));
  }

  #slotAt(now: number): Slot | undefined {
    const at = this.#indexAt(now);
    const slot = this.#slots[at % SLOTS];
    if (slot !== undefined && slot.at !== at) reset(slot, at);
    return slot;
  }
}
