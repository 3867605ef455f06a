export interface Count {
  readonly calls: number;
  readonly failures: number;
}
/** Calls of the recent past, and how many of them failed. */
export interface SlidingWindow {
  /** A call that has ended. */
  add(now: number, failed: boolean): void;
  /** A call that was added as good has turned out badly. */
  spoil(now: number): void;
  count(now: number): Count;
  clear(): void;
}

/** The window moves on by a tenth of itself. */
const SLOTS = 10;

/** @param lengthMs asked at every use: it may change with a reload */
export function createSlidingWindow(lengthMs: () => number): SlidingWindow {
  const slots = Array.from({ length: SLOTS }, () => ({ at: -1, calls: 0, failures: 0 }));
  const turnOf = (now: number): number => Math.floor(now / (lengthMs() / SLOTS));
  const slotAt = (now: number): (typeof slots)[number] | undefined => {
    const at = turnOf(now);
    const slot = slots[at % SLOTS];
    if (slot !== undefined && slot.at !== at) Object.assign(slot, { at, calls: 0, failures: 0 });
    return slot;
  };
  return {
    add: (now, failed) => {
      const slot = slotAt(now);
      if (slot === undefined) return;
      slot.calls += 1;
      if (failed) slot.failures += 1;
    },
    spoil: (now) => {
      const slot = slotAt(now);
      if (slot !== undefined) slot.failures += 1;
    },
    count: (now) => {
      const oldest = turnOf(now) - SLOTS + 1;
      let calls = 0;
      let failures = 0;
      for (const slot of slots) {
        if (slot.at < oldest) continue;
        calls += slot.calls;
        failures += slot.failures;
      }
      // The call that failed late may have been added before the window began.
      return { calls: Math.max(calls, failures), failures };
    },
    clear: () => slots.forEach((slot) => Object.assign(slot, { at: -1, calls: 0, failures: 0 })),
  };
}
