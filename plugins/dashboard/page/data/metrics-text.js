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
