/** @import { Sample } from './metrics-text.js' */
/** @import { Buckets } from './histogram.js' */
import { quantile, readBuckets, subtract } from './histogram.js';

/**
 * What the counters said at one moment.
 * @typedef {object} Moment
 * @property {number} at milliseconds
 * @property {number} all exchanges
 * @property {number} ok those that ended well
 * @property {number} inFlight
 * @property {Buckets} durations seconds
 * @property {Buckets} firsts seconds to the first content; empty where nobody measures it
 */

const KEPT_MS = 300_000;
const WINDOW_MS = 30_000;

/**
 * @param {readonly Sample[]} samples
 * @param {string} name
 * @param {(labels: Sample['labels']) => boolean} [fits]
 */
export const sum = (samples, name, fits = () => true) =>
  samples.reduce((total, sample) => (sample.name === name && fits(sample.labels) ? total + sample.value : total), 0);

/**
 * @param {readonly Sample[]} samples
 * @param {number} at
 * @returns {Moment}
 */
export const readMoment = (samples, at) => ({
  at,
  all: sum(samples, 'koine_http_requests_total'),
  ok: sum(samples, 'koine_http_requests_total', ({ outcome }) => outcome === 'ok'),
  inFlight: sum(samples, 'koine_requests_in_flight'),
  durations: readBuckets(samples, 'koine_http_request_duration_seconds', ({ outcome }) => outcome === 'ok'),
  firsts: readBuckets(samples, 'koine_time_to_first_token_seconds'),
});

/**
 * The last five minutes; a gateway that has begun anew counts from nothing, and what was before says nothing about it.
 * @param {readonly Moment[]} moments
 * @param {Moment} moment
 */
export const addMoment = (moments, moment) => {
  const isAnew = (moments.at(-1)?.all ?? 0) > moment.all;
  return [...(isAnew ? [] : moments.filter(({ at }) => at > moment.at - KEPT_MS)), moment];
};

/**
 * What happened in the last half minute. Times in milliseconds.
 * @param {readonly Moment[]} moments
 */
export const describeNow = (moments) => {
  const last = moments.at(-1);
  const first = moments.find(({ at }) => at >= (last?.at ?? 0) - WINDOW_MS);
  if (last === undefined || first === undefined || first === last) return undefined;
  const all = last.all - first.all;
  const durations = subtract(last.durations, first.durations);
  const firsts = subtract(last.firsts, first.firsts);
  /** @param {Buckets} buckets @param {number} part */
  const inMs = (buckets, part) => {
    const seconds = quantile(buckets, part);
    return seconds === undefined ? undefined : seconds * 1_000;
  };
  return {
    seconds: (last.at - first.at) / 1_000,
    perSecond: all / ((last.at - first.at) / 1_000),
    all,
    ok: last.ok - first.ok,
    inFlight: last.inFlight,
    p50: inMs(durations, 0.5),
    p95: inMs(durations, 0.95),
    firstContent: inMs(firsts, 0.5),
    measuresFirstContent: last.firsts.size > 0,
  };
};

/**
 * Requests a second between each two moments, those that ended well and the others.
 * @param {readonly Moment[]} moments
 * @returns {readonly { readonly at: number, readonly ok: number, readonly failed: number }[]}
 */
export const describeRates = (moments) =>
  moments.slice(1).flatMap((moment, index) => {
    const before = moments[index];
    if (before === undefined) return [];
    const seconds = (moment.at - before.at) / 1_000;
    const ok = (moment.ok - before.ok) / seconds;
    return [{ at: moment.at, ok, failed: Math.max(0, (moment.all - before.all) / seconds - ok) }];
  });
