/**
 * How an exchange ended, in the four classes of docs/reference/metrics.md. Only `success` and `failure` count for the
 * success rate: a request that was wrong or over a limit says nothing about the gateway.
 * @typedef {'success' | 'client_error' | 'limited' | 'failure'} OutcomeClass
 */

/** @type {Readonly<Record<string, OutcomeClass>>} */
const classes = {
  ok: 'success',
  unfinished: 'success',
  client_error: 'client_error',
  auth: 'client_error',
  client_closed: 'client_error',
  rate_limited: 'limited',
};

/** @param {string} outcome @returns {OutcomeClass} */
export const classOf = (outcome) => classes[outcome] ?? 'failure';

/** Titles of the classes, in the order of charts. */
export const outcomeClasses = /** @type {const} */ ({
  success: 'Success',
  client_error: 'Client error',
  limited: 'Limited',
  failure: 'Failure',
});

/** CSS colors of the classes, in the same order. */
export const classColors = ['good-fill', 'plain', 'warn-fill', 'bad-fill'];

/** @param {{ success: number, failure: number }} counts @returns {number | undefined} undefined without requests */
export const successRate = ({ success, failure }) =>
  success + failure === 0 ? undefined : success / (success + failure);

/** @param {number | undefined} rate @returns {'good' | 'warn' | 'bad' | undefined} */
export const toneOfRate = (rate) =>
  rate === undefined ? undefined : rate >= 0.99 ? 'good' : rate >= 0.9 ? 'warn' : 'bad';
