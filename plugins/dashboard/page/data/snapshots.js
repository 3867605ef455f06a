/** @import { Sample } from './metrics-text.js' */
/** @import { Buckets } from './histogram.js' */
import { quantile, readBuckets, subtract } from './histogram.js';

/**
 * The counters of the gateway at one time.
 * @typedef {object} Snapshot
 * @property {number} at milliseconds
 * @property {number} all exchanges
 * @property {number} ok successful exchanges
 * @property {number} inFlight
 * @property {Buckets} durations seconds
 * @property {Buckets} firstTokens seconds to the first token; empty when the metric is missing
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
 * @returns {Snapshot}
 */
export const readSnapshot = (samples, at) => ({
  at,
  all: sum(samples, 'koine_http_requests_total'),
  ok: sum(samples, 'koine_http_requests_total', ({ outcome }) => outcome === 'ok'),
  inFlight: sum(samples, 'koine_requests_in_flight'),
  durations: readBuckets(samples, 'koine_http_request_duration_seconds', ({ outcome }) => outcome === 'ok'),
  firstTokens: readBuckets(samples, 'koine_time_to_first_token_seconds'),
});

/**
 * Keeps the snapshots of the last five minutes. Counters that fall belong to a restarted gateway: earlier snapshots are
 * dropped.
 * @param {readonly Snapshot[]} snapshots
 * @param {Snapshot} snapshot
 */
export const addSnapshot = (snapshots, snapshot) => {
  const isRestarted = (snapshots.at(-1)?.all ?? 0) > snapshot.all;
  return [...(isRestarted ? [] : snapshots.filter(({ at }) => at > snapshot.at - KEPT_MS)), snapshot];
};

/**
 * Rates and latencies of the last 30 seconds. Times are in milliseconds.
 * @param {readonly Snapshot[]} snapshots
 */
export const summarize = (snapshots) => {
  const last = snapshots.at(-1);
  const first = snapshots.find(({ at }) => at >= (last?.at ?? 0) - WINDOW_MS);
  if (last === undefined || first === undefined || first === last) return undefined;
  const all = last.all - first.all;
  const durations = subtract(last.durations, first.durations);
  const firstTokens = subtract(last.firstTokens, first.firstTokens);
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
    firstToken: inMs(firstTokens, 0.5),
    measuresFirstToken: last.firstTokens.size > 0,
  };
};

/**
 * Successful and failed requests per second between each two snapshots.
 * @param {readonly Snapshot[]} snapshots
 * @returns {readonly { readonly at: number, readonly ok: number, readonly failed: number }[]}
 */
export const ratesOf = (snapshots) =>
  snapshots.slice(1).flatMap((snapshot, index) => {
    const before = snapshots[index];
    if (before === undefined) return [];
    const seconds = (snapshot.at - before.at) / 1_000;
    const ok = (snapshot.ok - before.ok) / seconds;
    return [{ at: snapshot.at, ok, failed: Math.max(0, (snapshot.all - before.all) / seconds - ok) }];
  });
