import { GatewayError } from '../errors/gateway-error.ts';

/**
 * The token usage of a call, in disjoint parts: total input = inputUncached + cacheRead + cacheWrite5m + cacheWrite1h.
 * Counts are never negative.
 */
export interface Usage {
  readonly inputUncached: number;
  readonly cacheRead: number;
  /** Cache writes of unknown lifetime count here, because 5 minutes is the vendor's default. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** All output, including reasoning. */
  readonly output: number;
  /** The share of `output` that was reasoning; 0 if the vendor does not report it. */
  readonly reasoning: number;
  /** Audio and image tokens within `inputUncached` and within `output`, if the vendor reports any. */
  readonly inputAudio?: number;
  readonly inputImage?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
  /** The service tier of the call, under the vendor's name. */
  readonly tier?: string;
  readonly source: 'provider' | 'estimated';
  /** The vendor's usage object, for audits. */
  readonly raw?: unknown;
}

/** All input tokens, cached or not. */
export const inputTotal = (usage: Usage): number =>
  usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;

/** More than any call can use: the largest context windows have ten million tokens. */
const MAX_TOKENS = 100_000_000;

/** Reads a count: absent, null, negative, fractional or impossible values become an integer of at least 0. */
export function readCount(value: unknown): number {
  const count = typeof value === 'number' ? Math.floor(value) : 0;
  return count > 0 && count <= MAX_TOKENS ? count : 0;
}

/** Reads the count of a response that has nothing else. @throws GatewayError if it is not a number */
export function requireCount(value: unknown): number {
  if (typeof value !== 'number')
    throw new GatewayError('upstream_bad_response', 'The response of the provider has no token count.');
  return readCount(value);
}

/** Reads counts of token kinds within a total. Together they never exceed it; zero counts are omitted. */
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

/** Usage of a call whose provider reported none: the estimated input, and the output that was received. */
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

/** The sum over several calls; undefined for none. A sum has no raw figures, and a tier only if all calls share it. */
export const sumUsages = ([first, ...others]: readonly Usage[]): Usage | undefined =>
  first === undefined ? undefined : others.reduce(addUsage, first);
