import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { Price, RateCard, Rates } from '../contracts/price.ts';

const kinds = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'reasoning',
  'inputAudio',
  'inputImage',
  'outputAudio',
  'outputImage',
] as const satisfies readonly (keyof Rates)[];

/** Rates in USD per million tokens. */
export type DescribedRates = Readonly<Partial<Record<keyof Rates, number>>>;
export interface DescribedCard extends DescribedRates {
  readonly longContext?: readonly (DescribedRates & { readonly above: number })[];
}
export interface DescribedPrice extends DescribedCard {
  /** USD per answered call. */
  readonly request?: number;
  readonly tiers?: Readonly<Record<string, DescribedCard>>;
  readonly version: string;
  readonly source: string;
  readonly seen?: string;
}

export const toDollars = (nano: bigint): number => Number(nano) / 1e9;

export function describeRates(rates: Rates): DescribedRates {
  const known = kinds.flatMap((kind) => (rates[kind] === undefined ? [] : [[kind, toDollars(rates[kind])] as const]));
  return Object.fromEntries(known);
}

const describeCard = ({ longContext, ...rates }: RateCard): DescribedCard => ({
  ...describeRates(rates),
  ...(longContext === undefined
    ? {}
    : { longContext: longContext.map(({ above, rates: long }) => ({ above, ...describeRates(long) })) }),
});

/** A price in USD per million tokens, with all defaults, its version and its source. */
export const describePrice = ({ request, tiers, version, source, ...card }: Price): DescribedPrice =>
  omitUndefined({
    ...describeCard(card),
    request: request === undefined ? undefined : toDollars(request),
    tiers: tiers && Object.fromEntries(Object.entries(tiers).map(([tier, rates]) => [tier, describeCard(rates)])),
    version,
    source: source.page,
    seen: source.seen,
  });
