import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { writePrice } from '../config/write/write-price.ts';
import type { Price, UnitPrices, WrittenPrice } from '../contracts/price.ts';

/** A price as it is written in `gateway.yaml`, in USD per million tokens. */
export interface DescribedPrice extends WrittenPrice {
  /** Multiplies the whole price. */
  readonly factor?: number;
  readonly version: string;
  readonly source: string;
  readonly seen?: string;
}

/** A price with its defaults, its factor, its version and its source. */
export const describePrice = (price: Price): DescribedPrice =>
  omitUndefined({
    ...writePrice(price),
    factor: price.factor === undefined ? undefined : Number(price.factor) / 1e12,
    version: price.version,
    source: price.source.page,
    seen: price.source.seen,
  });

const listFigures = (name: string, price: unknown): readonly (readonly [name: string, dollars: number])[] =>
  typeof price === 'number'
    ? [[name, price]]
    : Object.entries(Object(price) as object).flatMap(([word, inner]) => listFigures(`${name} ${word}`, inner));

/** Every figure of the prices of units, by its name: `webSearches`, `images 1024x1024 high`. */
export const listUnitFigures = (units: UnitPrices<number>): readonly (readonly [name: string, dollars: number])[] =>
  Object.entries(units).flatMap(([unit, price]) => listFigures(unit, price));
