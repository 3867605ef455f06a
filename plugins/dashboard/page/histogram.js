/** @import { Sample } from './metrics-text.js' */

/**
 * How many were at most so long, by upper bound.
 * @typedef {ReadonlyMap<number, number>} Buckets
 */

/**
 * All series of a histogram as one.
 * @param {readonly Sample[]} samples
 * @param {string} name
 * @param {(labels: Sample['labels']) => boolean} [fits]
 * @returns {Buckets} empty: there is no such metric
 */
export const readBuckets = (samples, name, fits = () => true) => {
  const buckets = new Map();
  for (const { name: found, labels, value } of samples) {
    if (found !== `${name}_bucket` || !fits(labels)) continue;
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  return buckets;
};

/**
 * What was added between two moments.
 * @param {Buckets} now
 * @param {Buckets} before
 * @returns {Buckets}
 */
export const subtract = (now, before) =>
  new Map([...now].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)]));

/**
 * The share `part` took at most so long; in between two bounds it is taken for evenly spread. Beyond the last bound: that bound.
 * @param {Buckets} buckets
 * @param {number} part
 * @returns {number | undefined} undefined: there was nothing
 */
export const quantile = (buckets, part) => {
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  const rank = part * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= rank)
      return bound === Infinity
        ? lower
        : lower + ((bound - lower) * (rank - below)) / Math.max(count - below, Number.MIN_VALUE);
    [lower, below] = [bound, count];
  }
  return lower;
};
