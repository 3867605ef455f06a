import { randomInt } from 'node:crypto';

/** The first keys are not counted: ordinary bodies have fewer, distinct or not. */
const UNCOUNTED = 25_000;
const BITS = 18;
/**
 * https://www.ietf.org/archive/id/draft-eastlake-fnv-21.html; the offset basis is random, so that clients cannot
 * construct collisions.
 */
const FNV_PRIME = 16_777_619;
const START = randomInt(2 ** 32);

/**
 * Estimates the number of distinct keys in constant memory: the first 25,000 keys are not counted, and collisions are
 * not detected. JSON.parse takes several times longer for objects with new keys.
 */
export class KeyCount {
  /** Keys, whether they repeat or not. A field, because it is read for each body. */
  all = 0;
  #different = 0;
  #seen: Uint8Array | undefined;

  get different(): number {
    return this.#different;
  }

  /** Adds the key in these bytes. @returns the number of distinct keys */
  add(bytes: Buffer, from: number, to: number): number {
    this.all += 1;
    if (this.all > UNCOUNTED) this.#count(bytes, from, to);
    return this.#different;
  }

  #count(bytes: Buffer, from: number, to: number): void {
    let hash = START;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
    const bit = (hash ^ (hash >>> BITS)) & ((1 << BITS) - 1);
    this.#seen ??= new Uint8Array(1 << (BITS - 3));
    const place = this.#seen[bit >>> 3] ?? 0;
    if ((place & (1 << (bit & 7))) !== 0) return;
    this.#seen[bit >>> 3] = place | (1 << (bit & 7));
    this.#different += 1;
  }
}
