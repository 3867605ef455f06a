import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Price, RateCard, Rates, WrittenPrice, WrittenRateCard, WrittenRates } from '../../contracts/price.ts';

const NANO = 1e9;
const toDollars = (nano: bigint): number => Number(nano) / NANO;

const writeRates = (rates: Rates): WrittenRates => {
  const { input, output, ...others } = rates;
  const optional = Object.entries(others).flatMap(([kind, nano]) =>
    typeof nano === 'bigint' ? [[kind, toDollars(nano)] as const] : [],
  );
  return { input: toDollars(input), output: toDollars(output), ...Object.fromEntries(optional) };
};

const writeCard = ({ longContext, ...rates }: RateCard): WrittenRateCard => ({
  ...writeRates(rates),
  ...(longContext === undefined
    ? {}
    : { longContext: longContext.map(({ above, rates: long }) => ({ above, ...writeRates(long) })) }),
});

/** Converts a price to the form of the file, in USD per million tokens, without its version and source. */
export const writePrice = ({ request, tiers, version: _version, source: _source, ...card }: Price): WrittenPrice =>
  omitUndefined({
    ...writeCard(card),
    request: request === undefined ? undefined : toDollars(request),
    tiers: tiers && Object.fromEntries(Object.entries(tiers).map(([tier, rates]) => [tier, writeCard(rates)])),
  });
