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

/** A sketch in memory: counts by bucket. */
export type Sketch = Map<number, number>;

const [SPACE, COLON, ZERO] = [32, 58, 48];

/**
 * Adds a sketch in its stored form: `23 24:3 ` is one duration in bucket 23 and three in bucket 24. Each part ends with
 * a space, so that a database merges sketches by appending one to another. A bucket can have several parts.
 */
export function addSketch(sketch: Sketch, text: string): void {
  let [bucket, number, hasCount] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COLON) [bucket, number, hasCount] = [number, 0, true];
    else if (code === SPACE) {
      const [to, count] = hasCount ? [bucket, number] : [number, 1];
      sketch.set(to, (sketch.get(to) ?? 0) + count);
      [number, hasCount] = [0, false];
    } else number = number * 10 + code - ZERO;
  }
}

/** The stored form of a sketch, with one part for each bucket. */
export function writeSketch(sketch: Sketch): string {
  let text = '';
  for (const [bucket, count] of sketch) text += count === 1 ? `${bucket} ` : `${bucket}:${count} `;
  return text;
}

/** The stored form with one part for each bucket. */
export function compactSketch(text: string): string {
  const sketch: Sketch = new Map();
  addSketch(sketch, text);
  return writeSketch(sketch);
}

/**
 * @param quantile 0.95 for the 95th percentile
 * @returns whole milliseconds; undefined for an empty sketch
 */
export function quantileOf(sketch: Sketch, quantile: number): number | undefined {
  const buckets = [...sketch].toSorted(([one], [other]) => one - other);
  const rank = quantile * buckets.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  const found = buckets.find(([, count]) => (seen += count) >= rank && count > 0);
  return found && Math.round(middleOf(found[0]));
}
