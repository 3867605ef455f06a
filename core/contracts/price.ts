/** Token rates, in nano-dollars (10⁻⁹ USD) per million tokens: USD 2.50 per million is 2_500_000_000n. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  /** Reasoning, if it has a price other than the rest of the output. */
  readonly reasoning?: bigint;
  /** Audio and images, if they have a price other than text. */
  readonly inputAudio?: bigint;
  readonly inputImage?: bigint;
  readonly outputAudio?: bigint;
  readonly outputImage?: bigint;
}

/** Rates, with different ones for long prompts. */
export interface RateCard extends Rates {
  /** Ascending by `above`. A call with more than `above` input tokens is priced at these rates as a whole. */
  readonly longContext?: readonly { readonly above: number; readonly rates: Rates }[];
}

/** The price of calls to a target. */
export interface Price extends RateCard {
  /** Nano-dollars for each answered call, in addition to its tokens. */
  readonly request?: bigint;
  /** Rates by service tier, under the vendor's name of the tier. Other tiers use the rates above. */
  readonly tiers?: Readonly<Record<string, RateCard>>;
  /** Digest of everything that determines the price. Equal figures have equal versions. */
  readonly version: string;
  /** Where the figures come from. */
  readonly source: PriceSource;
}

/** The origin of a price. */
export interface PriceSource {
  /** An `https:` page, or the configuration. */
  readonly page: string;
  /** The day on which the page was read: `2026-11-21`. Absent: the configuration. */
  readonly seen?: string;
}

/**
 * Rates as written in files, in USD per million tokens. Defaults: `cacheRead`, `cacheWrite5m` and other input rates are
 * those of `input`, output rates those of `output`, and `cacheWrite1h` that of `cacheWrite5m`.
 */
export interface WrittenRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  readonly reasoning?: number;
  readonly inputAudio?: number;
  readonly inputImage?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
}

/** A rate card as written in files. */
export interface WrittenRateCard extends WrittenRates {
  readonly longContext?: readonly (WrittenRates & { readonly above: number })[];
}

/** A price as written in `gateway.yaml` and in the data of providers. */
export interface WrittenPrice extends WrittenRateCard {
  /** USD for each answered call. */
  readonly request?: number;
  readonly tiers?: Readonly<Record<string, WrittenRateCard>>;
}

/** A price shipped by a provider, for models by their exact names. A model that is not listed has no price. */
export interface ShippedPrice {
  readonly models: readonly string[];
  readonly price: WrittenPrice;
  /** The `https:` page with the price. */
  readonly page: string;
  /** The day on which the page was read: `2026-11-21`. */
  readonly seen: string;
}
