/** Four buckets to each doubling: a value read from a bucket is off by at most 9 %. */
const PER_DOUBLING = 4;

/** The bucket of a duration: 0 up to a millisecond, then ascending. */
export const bucketOf = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(PER_DOUBLING * Math.log2(ms)));

/** Up to 70 minutes. */
const LAST_BUCKET = 22 * PER_DOUBLING;

/** The largest whole number of milliseconds in each bucket; buckets without one are left out. */
export const bucketBounds: readonly { readonly bucket: number; readonly bound: number }[] = Array.from(
  { length: LAST_BUCKET + 1 },
  (_, bucket) => ({ bucket, bound: Math.floor(2 ** (bucket / PER_DOUBLING)) }),
).filter(({ bucket, bound }) => bucketOf(bound) === bucket);

/** The geometric middle of a bucket, in milliseconds. */
const middleOf = (bucket: number): number => (bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / PER_DOUBLING));

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/**
 * @param buckets in ascending order
 * @param quantile 0.95 for the 95th percentile
 * @returns whole milliseconds; undefined for an empty histogram
 */
export function quantileOf(buckets: readonly Bucket[], quantile: number): number | undefined {
  const rank = quantile * buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  const found = buckets.find(({ count }) => (seen += count) >= rank && count > 0);
  return found && Math.round(middleOf(found.bucket));
}
