import { GatewayError } from '../errors/gateway-error.ts';

/** Every unit that vendors bill besides tokens. */
export const usageUnits = ['webSearches', 'webFetches', 'images', 'seconds', 'searches', 'characters'] as const;
/**
 * What vendors bill besides tokens. Seconds are those of audio or video; images are generated ones; searches are those
 * of a request to rerank; characters are those of a text that is spoken.
 */
export type UsageUnit = (typeof usageUnits)[number];

/** What the price of an image can depend on, in the words of the vendor. Absent, or `auto`: not known. */
export interface ImageKind {
  /** `1024x1024`. */
  readonly size?: string;
  /** `high`. */
  readonly quality?: string;
}

/**
 * The usage of a call, its tokens in disjoint parts: total input = inputUncached + cacheRead + cacheWrite5m +
 * cacheWrite1h + cacheWrite12h. Counts are never negative.
 */
export interface Usage {
  readonly inputUncached: number;
  readonly cacheRead: number;
  /** Cache writes of unknown lifetime count here, because 5 minutes is the vendor's default. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheWrite12h?: number;
  /** All output, including reasoning. */
  readonly output: number;
  /** The share of `output` that was reasoning; 0 if the vendor does not report it. */
  readonly reasoning: number;
  /** Audio, image and video tokens within `inputUncached`, `cacheRead` and `output`, if the vendor reports any. */
  readonly inputAudio?: number;
  readonly inputImage?: number;
  readonly inputVideo?: number;
  readonly cacheReadAudio?: number;
  readonly cacheReadImage?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
  /** What is billed by unit instead of by token. */
  readonly units?: Readonly<Partial<Record<UsageUnit, number>>>;
  /** Of the generated images, if the vendor reports it. */
  readonly image?: ImageKind;
  /** The service tier of the call, under the vendor's name. */
  readonly tier?: string;
  /** Where the call was computed, under the vendor's name (`us`), if the vendor reports it. */
  readonly region?: string;
  /** The vendor's name of the model, if it is not the model of the target. */
  readonly model?: string;
  /** Further calls that the vendor made for this one, and bills in addition. They are not in the counts above. */
  readonly further?: readonly Usage[];
  /** What the vendor says that the call costs, in nano-dollars: the cost of a call without a known price. */
  readonly reportedCost?: number;
  readonly source: 'provider' | 'estimated';
  /** The vendor's usage object, for audits. */
  readonly raw?: unknown;
}

/** All tokens written to the prompt cache. */
export const cacheWriteTotal = (usage: Usage): number =>
  usage.cacheWrite5m + usage.cacheWrite1h + (usage.cacheWrite12h ?? 0);

/** All input tokens, cached or not. */
export const inputTotal = (usage: Usage): number => usage.inputUncached + usage.cacheRead + cacheWriteTotal(usage);

/** The units in which a whole call can be billed. Such a call can have no tokens. */
const wholeUnits: readonly UsageUnit[] = ['images', 'seconds', 'searches', 'characters'];

/** Whether a usage says what a call cost: it has input tokens, or units that stand for the whole call. */
export const isMeasured = (usage: Usage): boolean =>
  inputTotal(usage) > 0 || wholeUnits.some((unit) => usage.units?.[unit] !== undefined);

/** A usage and the further calls of the vendor, each on its own. */
export function listCalls(usage: Usage): readonly Usage[] {
  if (usage.further === undefined) return [usage];
  const { further, ...own } = usage;
  return [own, ...further];
}

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

/** The counts of a usage without tokens. Readers whose vendor has no caches or no reasoning begin with it. */
export const noTokens = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
} as const;

/** Usage of a call whose provider reported none: the estimated input, and the output that was received. */
export const estimateUsage = (inputUncached: number, output: number): Usage => ({
  ...noTokens,
  inputUncached,
  output,
  source: 'estimated',
});

/** Counts that are absent where they are 0. */
export const optionalCounts = [
  'cacheWrite12h',
  'inputAudio',
  'inputImage',
  'inputVideo',
  'cacheReadAudio',
  'cacheReadImage',
  'outputAudio',
  'outputImage',
] as const;

const addCounts = <K extends string>(
  one: Readonly<Partial<Record<K, number>>>,
  other: Readonly<Partial<Record<K, number>>>,
  names: readonly K[],
): Readonly<Partial<Record<K, number>>> => {
  const sum: Partial<Record<K, number>> = {};
  for (const name of names)
    if (one[name] !== undefined || other[name] !== undefined) sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return sum;
};

const addUsage = (one: Usage, other: Usage): Usage => ({
  inputUncached: one.inputUncached + other.inputUncached,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
  cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
  ...addCounts(one, other, optionalCounts),
  ...(one.units === undefined && other.units === undefined
    ? {}
    : { units: addCounts(one.units ?? {}, other.units ?? {}, usageUnits) }),
  ...(one.tier !== undefined && one.tier === other.tier ? { tier: one.tier } : {}),
  ...(one.region !== undefined && one.region === other.region ? { region: one.region } : {}),
  source: one.source === 'provider' && other.source === 'provider' ? 'provider' : 'estimated',
});

/**
 * The sum over several calls, with the further calls of the vendor; undefined for none. A sum has no raw figures, and a
 * tier and a region only if all calls share it.
 */
export function sumUsages(usages: readonly Usage[]): Usage | undefined {
  if (usages.length === 1 && usages[0]?.further === undefined) return usages[0];
  const [first, ...others] = usages.flatMap(listCalls);
  return first === undefined ? undefined : others.reduce(addUsage, first);
}
