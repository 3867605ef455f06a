import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { writePrice } from '../config/write/write-price.ts';
import type { Price, WrittenPrice } from '../contracts/price.ts';

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
