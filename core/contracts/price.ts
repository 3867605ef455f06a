import type { ImageKind, UsageUnit } from '../canonical/usage.ts';

/** Token rates, in nano-dollars (10⁻⁹ USD) per million tokens: USD 2.50 per million is 2_500_000_000n. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  /** Absent: the rate of `cacheWrite1h`. */
  readonly cacheWrite12h?: bigint;
  /** Reasoning, if it has a price other than the rest of the output. */
  readonly reasoning?: bigint;
  /** Audio, images and video, if they have a price other than text. */
  readonly inputAudio?: bigint;
  readonly inputImage?: bigint;
  readonly inputVideo?: bigint;
  readonly cacheReadAudio?: bigint;
  readonly cacheReadImage?: bigint;
  readonly outputAudio?: bigint;
  readonly outputImage?: bigint;
}

/** Rates, with different ones for long prompts. */
export interface RateCard extends Rates {
  /** Ascending by `above`. A call with more than `above` input tokens is priced at these rates as a whole. */
  readonly longContext?: readonly { readonly above: number; readonly rates: Rates }[];
}

/** A multiple of token rates, in millionths: 1_100_000n is 1.1 times the rates. */
export type RateFactor = bigint;

/** A rate card, with other rates by service tier. */
export interface TieredCard extends RateCard {
  /** Rates by service tier, under the vendor's name of the tier. Other tiers use the rates above. */
  readonly tiers?: Readonly<Record<string, RateCard | RateFactor>>;
}

/**
 * The price of a generated image: one figure, or figures by size (`1024x1024`), and within a size by quality (`high`),
 * in the words of the vendor. `default` is for what is not listed.
 */
export type ImagePrice<Figure> = Figure | Readonly<Record<string, Figure | Readonly<Record<string, Figure>>>>;

/** The price of each unit. */
export interface UnitPrices<Figure> extends Readonly<Partial<Record<Exclude<UsageUnit, 'images'>, Figure>>> {
  readonly images?: ImagePrice<Figure>;
}

/** The price of calls to a target. */
export interface Price extends TieredCard {
  /** Nano-dollars for each answered call, in addition to its tokens. */
  readonly request?: bigint;
  /** Nano-dollars for each unit that the vendor bills besides tokens. Other units are free. */
  readonly units?: UnitPrices<bigint>;
  /**
   * Rates by the region that computed the call, under the vendor's name of the region. A factor multiplies the rates of
   * the tier; a card has tiers of its own.
   */
  readonly regions?: Readonly<Record<string, TieredCard | RateFactor>>;
  /** Multiplies the whole price: a discount or a margin, in trillionths. Absent: 1. */
  readonly factor?: bigint;
  /** Unix milliseconds: the first at which the price is valid, and the first at which it no longer is. */
  readonly from?: number;
  readonly until?: number;
  /** Digest of all figures, without the time in which they are valid. Equal figures have equal versions. */
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
 * those of `input`, output rates those of `output`, `cacheReadAudio` and `cacheReadImage`
 * that of `cacheRead`, `cacheWrite1h` that of
 * `cacheWrite5m`, and `cacheWrite12h` that of `cacheWrite1h`.
 */
export interface WrittenRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  readonly cacheWrite12h?: number;
  readonly reasoning?: number;
  readonly inputAudio?: number;
  readonly inputImage?: number;
  readonly inputVideo?: number;
  readonly cacheReadAudio?: number;
  readonly cacheReadImage?: number;
  readonly outputAudio?: number;
  readonly outputImage?: number;
}

/** A rate card as written in files. */
export interface WrittenRateCard extends WrittenRates {
  readonly longContext?: readonly (WrittenRates & { readonly above: number })[];
}

/** A rate card with tiers as written in files. A number is a multiple of the token rates of the card. */
export interface WrittenTieredCard extends WrittenRateCard {
  readonly tiers?: Readonly<Record<string, WrittenRateCard | number>>;
}

/** A price as written in `gateway.yaml` and in the data of providers. */
export interface WrittenPrice extends WrittenTieredCard {
  /** USD for each answered call. */
  readonly request?: number;
  /** USD each. */
  readonly units?: UnitPrices<number>;
  /** A number is a multiple of all token rates. */
  readonly regions?: Readonly<Record<string, WrittenTieredCard | number>>;
  /** A date, in UTC: `2027-01-01`. */
  readonly from?: string;
  /** The date at which the price is no longer valid. */
  readonly until?: string;
}

/** A price shipped by a provider, for models by their exact names. A model that is not listed has no price. */
export interface ShippedPrice {
  readonly models: readonly string[];
  /** A list has prices with dates. Of those that are valid, the one with the latest `from` applies. */
  readonly price: WrittenPrice | readonly WrittenPrice[];
  /** The `https:` page with the price. */
  readonly page: string;
  /** The day on which the page was read: `2026-11-21`. */
  readonly seen: string;
}

/**
 * Upper estimate of what an exchange uses, from its size and its declared caps. Reserved by limits until settlement.
 */
export interface Estimate {
  readonly inputTokens: number;
  /** The largest cap in any member of the request, times the number of choices; without a cap a typical response. */
  readonly outputTokens: number;
  /** Whether the client declared a cap. If not, an exchange must not be refused because of the estimate alone. */
  readonly declared: boolean;
  /** What its hosted tools use at most, one entry for each tool. They count for limits of cost. Absent: it has none. */
  readonly hosted?: readonly HostedEstimate[];
}

/** What a tool that runs at the vendor uses at most, in all its uses. */
export interface HostedEstimate {
  /** Its kind, or the word of the wire for a tool that the gateway does not know. */
  readonly tool: string;
  readonly uses: number;
  /** Whether the request caps the uses. If not, an exchange must not be refused because of the estimate alone. */
  readonly declared: boolean;
  /** Of which each use is one. Absent: it is billed by tokens. */
  readonly unit?: UsageUnit;
  /** Of the images, as far as the request says it. */
  readonly image?: ImageKind;
  /** Its tokens are those of another model of the provider, by its name there. Absent: of the model of the target. */
  readonly model?: string;
  /** Its results, or what its own model reads. */
  readonly inputTokens: number;
  /** Written by its own model, and how many of them, or of the output of the model of the target, are images. */
  readonly outputTokens: number;
  readonly imageTokens: number;
}

/** Targets without a known price are used, used with a warning at each start, or not used. */
export type UnpricedPolicy = 'allow' | 'warn' | 'reject';
