/** Four buckets to a doubling: a figure read from one is off by 9 % at most. */
const PER_DOUBLING = 4;

/** Which bucket a time belongs to: 0 up to a millisecond, and so on upwards. */
export const bucketOf = (ms: number): number => (ms <= 1 ? 0 : Math.ceil(PER_DOUBLING * Math.log2(ms)));

/** The middle of a bucket, in milliseconds. */
const middleOf = (bucket: number): number => (bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / PER_DOUBLING));

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/** What this share of all took at most, in whole milliseconds; undefined where nothing was counted. @param buckets ascending */
export function percentileOf(buckets: readonly Bucket[], share: number): number | undefined {
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  const found = buckets.find(({ count }) => (seen += count) >= wanted && count > 0);
  return found && Math.round(middleOf(found.bucket));
}
