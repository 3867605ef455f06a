/**
 * What a call consumed, in disjoint parts: total input = inputUncached + cacheRead + cacheWrite5m + cacheWrite1h.
 * All counts are tokens, never negative.
 */
export interface Usage {
  readonly inputUncached: number;
  readonly cacheRead: number;
  /** A cache write whose lifetime the vendor did not say counts as 5 m, its default. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** All output, reasoning included. */
  readonly output: number;
  /** The part of `output` that was reasoning; 0 where the vendor does not say. */
  readonly reasoning: number;
  /** The parts of the input and of the output that were audio and images, where the vendor says. */
  readonly inputAudio?: number;
  readonly inputImage?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
  /** The service tier that served the call, in the vendor's word. */
  readonly tier?: string;
  readonly source: 'provider' | 'estimated';
  /** The vendor's own usage object, for audits. */
  readonly raw?: unknown;
}

/** All input tokens, however they were priced. */
export const inputTotal = (usage: Usage): number =>
  usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;

/** A count as vendors report it: absent, null, negative, fractional or impossible figures become a whole number of at least 0. */
export const readCount = (value: unknown): number => {
  const count = typeof value === 'number' ? Math.floor(value) : 0;
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};
