/** @import { OutcomeClass } from './outcomes.js' */
import { requestJson } from './api.js';
import { outcomeClasses } from './outcomes.js';

/** @typedef {'p50Ms' | 'p95Ms' | 'p95FirstContentMs'} Latency */
/**
 * A step of `GET /admin/rates`: docs/reference/admin.md.
 * @typedef {Readonly<Record<OutcomeClass, number>> & Readonly<Record<Latency, number | null>> & { time: string }} Step
 */
/** @typedef {{ stepSeconds: number, inFlight: number, rates: readonly Step[] }} Rates */

/** Steps of the current figures: the last half minute. */
const CURRENT = 3;
const classes = /** @type {readonly OutcomeClass[]} */ (Object.keys(outcomeClasses));

/** @param {AbortSignal} signal */
export const readRates = async (signal) => /** @type {Rates} */ (await requestJson('/admin/rates', signal));

/** @param {Readonly<Record<OutcomeClass, number>>} step */
export const countAll = (step) => classes.reduce((total, name) => total + step[name], 0);

/**
 * Figures of the last half minute. A latency is that of the last step that has one.
 * @param {Rates} rates
 */
export const summarize = ({ stepSeconds, rates }) => {
  const steps = rates.slice(-CURRENT);
  const counts = { success: 0, client_error: 0, limited: 0, failure: 0 };
  for (const step of steps) for (const name of classes) counts[name] += step[name];
  /** @param {Latency} name */
  const last = (name) => steps.findLast((step) => step[name] !== null)?.[name] ?? null;
  return {
    counts,
    perSecond: steps.length === 0 ? 0 : countAll(counts) / (steps.length * stepSeconds),
    p50Ms: last('p50Ms'),
    p95Ms: last('p95Ms'),
    p95FirstContentMs: last('p95FirstContentMs'),
  };
};
