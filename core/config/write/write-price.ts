import { mapValues } from '../../canonical/json/map-values.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { mapUnits } from '../resolve/map-units.ts';
import type {
  Price,
  RateCard,
  Rates,
  TieredCard,
  WrittenPrice,
  WrittenRateCard,
  WrittenRates,
  WrittenTieredCard,
} from '../../contracts/price.ts';

export const toDollars = (nano: bigint): number => Number(nano) / 1e9;
const toFactor = (millionths: bigint): number => Number(millionths) / 1e6;

export const writeRates = (rates: Rates): WrittenRates => {
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

const writeTiers = ({ tiers, ...card }: TieredCard): WrittenTieredCard =>
  omitUndefined({
    ...writeCard(card),
    tiers: mapValues(tiers, (tier) => (typeof tier === 'bigint' ? toFactor(tier) : writeCard(tier))),
  });

const writeDate = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** Converts a price to the form of the file, in USD per million tokens, without its factor, version and source. */
export const writePrice = ({
  request,
  units,
  regions,
  from,
  until,
  factor: _factor,
  version: _version,
  source: _source,
  ...card
}: Price): WrittenPrice =>
  omitUndefined({
    ...writeTiers(card),
    request: request === undefined ? undefined : toDollars(request),
    units: mapUnits(units, toDollars),
    regions: mapValues(regions, (region) => (typeof region === 'bigint' ? toFactor(region) : writeTiers(region))),
    from: writeDate(from),
    until: writeDate(until),
  });
