import { mapValues } from '../../canonical/json/map-values.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { ImagePrice, UnitPrices } from '../../contracts/price.ts';

/** A figure: dollars in files, nano-dollars in the gateway. */
type Figure = number | bigint;

const mapImages = <From extends Figure, To>(price: ImagePrice<From>, map: (figure: From) => To): ImagePrice<To> =>
  typeof price === 'object'
    ? mapValues(price, (entry) => (typeof entry === 'object' ? mapValues(entry, map) : map(entry)))
    : map(price);

/** Maps every figure of the prices of units. Undefined stays undefined. */
export const mapUnits = <From extends Figure, To>(
  units: UnitPrices<From> | undefined,
  map: (figure: From) => To,
): UnitPrices<To> | undefined => {
  if (units === undefined) return undefined;
  const { images, ...others } = units;
  return omitUndefined({
    ...mapValues(others, map),
    images: images === undefined ? undefined : mapImages(images, map),
  });
};
