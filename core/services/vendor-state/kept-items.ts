import type { Clock } from '../../contracts/services.ts';

/** How long items of responses are kept, and how much memory they take. */
export interface ItemLimits {
  /** Milliseconds. */
  readonly keep: number;
  /** Bytes in the memory of a host. Redis has its own limit. */
  readonly size: number;
}

/** The JSON of what is kept, by the digest of its owner and id. */
export type KeptEntries = readonly (readonly [key: string, text: string])[];

interface Entry {
  readonly text: string;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

/** Roughly what an entry takes besides its text. */
const OVERHEAD = 200;

/** Items in the memory of one process. Bounded by bytes and time: the oldest go first. */
export class MemoryItems {
  readonly #clock: Pick<Clock, 'now'>;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  read(keys: readonly string[]): readonly (string | null)[] {
    const now = this.#clock.now();
    return keys.map((key) => {
      const entry = this.#entries.get(key);
      return entry === undefined || entry.endsAt <= now ? null : entry.text;
    });
  }

  write(entries: KeptEntries, { keep, size }: ItemLimits): void {
    const now = this.#clock.now();
    for (const [key, text] of entries) {
      this.#remove(key);
      if (text.length + OVERHEAD > size) continue;
      this.#entries.set(key, { text, endsAt: now + keep });
      this.#bytes += text.length + OVERHEAD;
    }
    for (const [key, { endsAt }] of this.#entries) {
      if (endsAt > now && this.#bytes <= size) return;
      this.#remove(key);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.text.length + OVERHEAD;
    this.#entries.delete(key);
  }
}
