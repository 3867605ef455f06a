import { createHash } from 'node:crypto';
import { mapValues } from '../../canonical/json/map-values.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type {
  Price,
  PriceSource,
  RateCard,
  Rates,
  TieredCard,
  WrittenPrice,
  WrittenRateCard,
  WrittenRates,
  WrittenTieredCard,
} from '../../contracts/price.ts';
import { parseExpiry } from '../units/expiry.ts';

const toNano = (dollars: number): bigint => BigInt(Math.round(dollars * 1e9));
const toMillionths = (factor: number): bigint => BigInt(Math.round(factor * 1e6));
/** The factor 1 in trillionths. */
const ONE = 1_000_000_000_000n;

/** Kinds of tokens whose rate is that of another kind unless it is given. */
export const optionalKinds = [
  'cacheWrite12h',
  'reasoning',
  'inputAudio',
  'inputImage',
  'inputVideo',
  'cacheReadAudio',
  'outputAudio',
  'outputImage',
] as const;

const resolveRates = (written: WrittenRates): Rates => {
  const { input, output, cacheRead = input, cacheWrite5m = input, cacheWrite1h = cacheWrite5m } = written;
  const others = optionalKinds.flatMap((kind) =>
    written[kind] === undefined ? [] : [[kind, toNano(written[kind])] as const],
  );
  return {
    input: toNano(input),
    output: toNano(output),
    cacheRead: toNano(cacheRead),
    cacheWrite5m: toNano(cacheWrite5m),
    cacheWrite1h: toNano(cacheWrite1h),
    ...Object.fromEntries(others),
  };
};

const resolveCard = ({ longContext, ...rates }: WrittenRateCard): RateCard => ({
  ...resolveRates(rates),
  ...(longContext === undefined
    ? {}
    : {
        longContext: longContext
          .map(({ above, ...long }) => ({ above, rates: resolveRates(long) }))
          .sort((one, other) => one.above - other.above),
      }),
});

const resolveTiers = ({ tiers, ...card }: WrittenTieredCard): TieredCard =>
  omitUndefined({
    ...resolveCard(card),
    tiers: mapValues(tiers, (tier) => (typeof tier === 'number' ? toMillionths(tier) : resolveCard(tier))),
  });

/** Depends on the figures only, not on their source or order. */
const digestOf = (figures: object): string => {
  const text = JSON.stringify(figures, (_key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

/** Converts a price from USD to nano-dollars per million tokens, and adds its version. */
export function resolvePrice(
  { request, units, regions, from, until, ...card }: WrittenPrice,
  source: PriceSource,
): Price {
  const figures: Omit<Price, 'version' | 'source'> = omitUndefined({
    ...resolveTiers(card),
    request: request === undefined ? undefined : toNano(request),
    units: mapValues(units, toNano),
    regions: mapValues(regions, (region) => (typeof region === 'number' ? toMillionths(region) : resolveTiers(region))),
  });
  return omitUndefined({
    ...figures,
    from: from === undefined ? undefined : parseExpiry(from),
    until: until === undefined ? undefined : parseExpiry(until),
    version: digestOf(figures),
    source,
  });
}

const isList = <One>(value: One | readonly One[]): value is readonly One[] => Array.isArray(value);

/** Converts one price or a list of prices with dates. */
export const resolvePrices = (written: WrittenPrice | readonly WrittenPrice[], source: PriceSource): readonly Price[] =>
  isList(written) ? written.map((price) => resolvePrice(price, source)) : [resolvePrice(written, source)];

/** Multiplies a price by the factors of its provider and its model, each exact to a millionth. */
export function multiplyPrice(price: Price, ofProvider = 1, ofModel = 1): Price {
  const factor = toMillionths(ofProvider) * toMillionths(ofModel);
  if (factor === ONE) return price;
  const { version: _version, source: _source, from: _from, until: _until, ...figures } = price;
  return { ...price, factor, version: digestOf({ ...figures, factor }) };
}
