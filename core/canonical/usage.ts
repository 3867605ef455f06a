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
  /** The parts of `inputUncached`, and those of `output` beside the reasoning, that were audio and images: where the vendor says, and there were any. */
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

/** More than any call can use: the largest windows hold ten million. */
const MOST_TOKENS = 100_000_000;

/** A count as vendors report it: absent, null, negative, fractional or impossible figures become a whole number of at least 0. */
export function readCount(value: unknown): number {
  const count = typeof value === 'number' ? Math.floor(value) : 0;
  return count > 0 && count <= MOST_TOKENS ? count : 0;
}

/** Kinds of tokens within a count, as vendors report them: together they are never more than the whole, and those that did not occur are left out. */
export function readParts<K extends string>(
  whole: number,
  parts: Readonly<Record<K, unknown>>,
): Readonly<Partial<Record<K, number>>> {
  const read: Partial<Record<K, number>> = {};
  let left = whole;
  for (const name in parts) {
    const part = Math.min(readCount(parts[name]), left);
    left -= part;
    if (part > 0) read[name] = part;
  }
  return read;
}

/** What nobody reported: so much input, and the output that was seen. */
export const estimateUsage = (inputUncached: number, output: number): Usage => ({
  inputUncached,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  reasoning: 0,
  source: 'estimated',
});

const parts = ['inputAudio', 'inputImage', 'outputAudio', 'outputImage'] as const;

const addUsage = (one: Usage, other: Usage): Usage => ({
  inputUncached: one.inputUncached + other.inputUncached,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
  cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
  ...Object.fromEntries(
    parts.flatMap((part) =>
      one[part] === undefined && other[part] === undefined ? [] : [[part, (one[part] ?? 0) + (other[part] ?? 0)]],
    ),
  ),
  ...(one.tier !== undefined && one.tier === other.tier ? { tier: one.tier } : {}),
  source: one.source === 'provider' && other.source === 'provider' ? 'provider' : 'estimated',
});

/** Of several calls, undefined of none. Raw figures are those of each call, and of no sum; nor is a tier that they do not share. */
export const sumUsages = ([first, ...others]: readonly Usage[]): Usage | undefined =>
  first === undefined ? undefined : others.reduce(addUsage, first);
