/**
 * What a vendor bills for a call, in disjoint counts. The modules of this folder read the usage objects of vendors, and
 * import nothing of the gateway, so that they can be held against its ledger.
 */
export interface Bill {
  /** Of the model that the vendor names, if it is not the requested one. */
  readonly model?: string;
  readonly tier?: string;
  readonly region?: string;
  readonly counts: Readonly<Partial<Record<Item, number>>>;
}

/** The items of a price list. */
export const items = [
  'input',
  'inputAudio',
  'inputImage',
  'inputVideo',
  'cacheRead',
  'cacheReadAudio',
  'cacheWrite5m',
  'cacheWrite1h',
  'cacheWrite12h',
  'output',
  'reasoning',
  'outputAudio',
  'outputImage',
  'webSearches',
  'webFetches',
  'images',
  'seconds',
] as const;
export type Item = (typeof items)[number];

/** Nano-dollars for each; every item has another rate, so that no count can be taken for another. */
export const rates: Readonly<Record<Item, bigint>> = {
  input: 2_000n,
  inputAudio: 8_000n,
  inputImage: 3_000n,
  inputVideo: 6_000n,
  cacheRead: 500n,
  cacheReadAudio: 700n,
  cacheWrite5m: 2_500n,
  cacheWrite1h: 4_000n,
  cacheWrite12h: 7_000n,
  output: 10_000n,
  reasoning: 20_000n,
  outputAudio: 40_000n,
  outputImage: 30_000n,
  webSearches: 10_000_000n,
  webFetches: 1_000_000n,
  images: 40_000_000n,
  seconds: 100_000n,
};

/** Items that are billed by number: no tier or region changes their price. */
const units: ReadonlySet<Item> = new Set(['webSearches', 'webFetches', 'images', 'seconds']);

/** Multiples of the rates of tokens, in hundredths. */
export const tiers: Readonly<Record<string, bigint>> = { flex: 50n, priority: 200n, fast: 600n, ultrafast: 900n };
export const regions: Readonly<Record<string, bigint>> = { us: 110n };
/** Of models that only further calls use. */
export const FURTHER = 300n;

const priceOf = ({ tier = '', region = '', model, counts }: Bill, isFurther: (model: string) => boolean): bigint => {
  let [tokens, others] = [0n, 0n];
  for (const item of items) {
    const cost = BigInt(counts[item] ?? 0) * rates[item];
    if (units.has(item)) others += cost;
    else tokens += cost;
  }
  const factor = (tiers[tier] ?? 100n) * (regions[region] ?? 100n);
  const sum = (tokens * factor) / 10_000n + others;
  return model !== undefined && isFurther(model) ? (sum * FURTHER) / 100n : sum;
};

/** Nano-dollars. */
export const costOf = (bills: readonly Bill[], isFurther: (model: string) => boolean = () => false): bigint =>
  bills.reduce((sum, bill) => sum + priceOf(bill, isFurther), 0n);

export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
export const countOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0);

export const tierOf = (tier: unknown): Pick<Bill, 'tier'> => (typeof tier === 'string' ? { tier } : {});

/** The JSON of a plain response, or of each event of a stream. */
export const bodiesOf = (text: string): readonly Json[] =>
  text.trimStart().startsWith('{')
    ? [objectOf(JSON.parse(text))]
    : text
        .split(/\r\n\r\n|\n\n|\r\r/)
        .map((block) =>
          block
            .split(/\r\n|\n|\r/)
            .filter((line) => line.startsWith('data:'))
            .map((line) => line.slice(5).trim())
            .join('\n'),
        )
        .filter((data) => data.startsWith('{'))
        .map((data) => objectOf(JSON.parse(data)));
