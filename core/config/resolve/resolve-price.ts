import { hash } from 'node:crypto';
import { isObject } from '../../canonical/json/members.ts';
import { mapValues } from '../../canonical/json/map-values.ts';
import { mapUnits } from './map-units.ts';
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
  'cacheReadImage',
  'outputAudio',
  'outputImage',
] as const;

const resolveRates = (written: WrittenRates): Rates => {
  const { input, output, cacheRead = input, cacheWrite5m = input, cacheWrite1h = cacheWrite5m } = written;
  const rates: { -readonly [Kind in keyof Rates]: Rates[Kind] } = {
    input: toNano(input),
    output: toNano(output),
    cacheRead: toNano(cacheRead),
    cacheWrite5m: toNano(cacheWrite5m),
    cacheWrite1h: toNano(cacheWrite1h),
  };
  for (const kind of optionalKinds) if (written[kind] !== undefined) rates[kind] = toNano(written[kind]);
  return rates;
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

/** JSON with members in the order of their names, and nano-dollars as strings. */
const writeSorted = (value: unknown): string => {
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeSorted(value[name])}`)
    .join(',')}}`;
};

/** Depends on the figures only, not on their source or order. */
const digestOf = (figures: object): string => hash('sha256', writeSorted(figures)).slice(0, 16);

/** Converts a price from USD to nano-dollars per million tokens, and adds its version. */
export function resolvePrice(
  { request, units, regions, from, until, ...card }: WrittenPrice,
  source: PriceSource,
): Price {
  const figures: Omit<Price, 'version' | 'source'> = omitUndefined({
    ...resolveTiers(card),
    request: request === undefined ? undefined : toNano(request),
    units: mapUnits(units, toNano),
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
