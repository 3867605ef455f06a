/** What tokens cost, in nano-dollars (10⁻⁹ USD) per million of them: USD 2.50 per million is 2_500_000_000n. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  /** Reasoning, where it is priced apart from the rest of the output. */
  readonly reasoning?: bigint;
  /** Audio and images, where they are priced apart from text. */
  readonly inputAudio?: bigint;
  readonly inputImage?: bigint;
  readonly outputAudio?: bigint;
  readonly outputImage?: bigint;
}

/** Rates, and others for long prompts. */
export interface RateCard extends Rates {
  /** Ascending by `above`, in tokens: a call with more input in all is priced by these rates as a whole. */
  readonly longContext?: readonly { readonly above: number; readonly rates: Rates }[];
}

/** What calls of a target cost. */
export interface Price extends RateCard {
  /** Nano-dollars for each call that was answered, beside its tokens. */
  readonly request?: bigint;
  /** By the service tier that served the call, in the vendor's word; a tier that is not named costs what stands above. */
  readonly tiers?: Readonly<Record<string, RateCard>>;
  /** Digest of all that decides what a call costs: the same figures have the same version, and a change has a new one. */
  readonly version: string;
  /** Where the figures come from: an `https:` page with the day they were read there, or the configuration. */
  readonly source: PriceSource;
}
export interface PriceSource {
  readonly page: string;
  /** `2026-11-21`; absent: the configuration. */
  readonly seen?: string;
}

/** Rates as people write them: in USD per million tokens. What is left out costs as input (cacheRead, cacheWrite5m, inputAudio …), as output, or as cacheWrite5m (cacheWrite1h). */
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
export interface WrittenRateCard extends WrittenRates {
  readonly longContext?: readonly (WrittenRates & { readonly above: number })[];
}
/** A price as `gateway.yaml` and the shipped data of providers write it. */
export interface WrittenPrice extends WrittenRateCard {
  /** USD for each call that was answered. */
  readonly request?: number;
  readonly tiers?: Readonly<Record<string, WrittenRateCard>>;
}

/** A price that a provider ships, for models by their exact names at the vendor: a name that is not listed stays unpriced. */
export interface ShippedPrice {
  readonly models: readonly string[];
  readonly price: WrittenPrice;
  /** The `https:` page that says so. */
  readonly page: string;
  /** The day it was read there: `2026-11-21`. */
  readonly seen: string;
}
