/**
 * @typedef {object} Sample
 * @property {string} name
 * @property {Readonly<Record<string, string>>} labels
 * @property {number} value
 */

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
/** @type {Readonly<Record<string, string>>} */
const escapes = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/** @param {string} text */
const readValue = (text) => (text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text));

/** @param {string} text */
const readLabels = (text) =>
  Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\./g, (found) => escapes[found] ?? found),
    ]),
  );

/**
 * Parses the text format of Prometheus.
 * @param {string} text
 * @returns {readonly Sample[]}
 */
export const readSamples = (text) =>
  text.split('\n').flatMap((line) => {
    const found = line.startsWith('#') ? null : LINE.exec(line);
    return found === null
      ? []
      : [{ name: found[1] ?? '', labels: readLabels(found[2] ?? ''), value: readValue(found[3] ?? '') }];
  });

/**
 * @param {readonly Sample[]} samples
 * @param {string} name
 * @param {(labels: Sample['labels']) => boolean} [fits]
 */
export const sum = (samples, name, fits = () => true) =>
  samples.reduce((total, sample) => (sample.name === name && fits(sample.labels) ? total + sample.value : total), 0);

/**
 * Cumulative counts by upper bound.
 * @typedef {ReadonlyMap<number, number>} Buckets
 */

/**
 * Sums up all series of a histogram.
 * @param {readonly Sample[]} samples
 * @param {string} name
 * @param {(labels: Sample['labels']) => boolean} [fits]
 * @returns {Buckets} empty when there is no such metric
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
 * Interpolates linearly between two bounds. A quantile beyond the last finite bound is that bound.
 * @param {Buckets} buckets
 * @param {number} part 0.95 for the 95th percentile
 * @returns {{ value: number, from: number, to: number } | undefined} with the bounds; undefined for an empty histogram
 */
export const quantile = (buckets, part) => {
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  const rank = part * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= rank) {
      const part = (rank - below) / Math.max(count - below, Number.MIN_VALUE);
      return { value: bound === Infinity ? lower : lower + (bound - lower) * part, from: lower, to: bound };
    }
    [lower, below] = [bound, count];
  }
  return undefined;
};
