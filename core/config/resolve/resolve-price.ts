import { createHash } from 'node:crypto';
import type {
  Price,
  PriceSource,
  RateCard,
  Rates,
  WrittenPrice,
  WrittenRateCard,
  WrittenRates,
} from '../../contracts/price.ts';

const NANO = 1e9;
const toNano = (dollars: number): bigint => BigInt(Math.round(dollars * NANO));

/** Kinds of tokens whose rate is that of input or output unless it is given. */
const optionalKinds = ['reasoning', 'inputAudio', 'inputImage', 'outputAudio', 'outputImage'] as const;

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

/** Depends on the rates only, not on their source or order. */
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
export function resolvePrice({ request, tiers, ...card }: WrittenPrice, source: PriceSource): Price {
  const figures = {
    ...resolveCard(card),
    ...(request === undefined ? {} : { request: toNano(request) }),
    ...(tiers === undefined
      ? {}
      : { tiers: Object.fromEntries(Object.entries(tiers).map(([tier, rates]) => [tier, resolveCard(rates)])) }),
  };
  return { ...figures, version: digestOf(figures), source };
}
