/**
 * What a host has in memory of one of its latest requests, beside its line of the access log:
 * docs/reference/admin.md. Times are milliseconds from the arrival of the request.
 * @typedef {object} Life
 * @property {readonly AdmittedLimit[]} limits
 * @property {readonly LivedAttempt[]} attempts
 * @property {readonly { target: string, cost?: string, price?: PriceSource }[]} charges
 */
/**
 * @typedef {object} LivedAttempt
 * @property {number} [startedMs]
 * @property {number} [headersMs] of waiting until the response headers arrived
 * @property {string} [ending]
 * @property {readonly SkippedTarget[]} [skipped]
 */
/** @typedef {{ readonly target: string, readonly credential: string, readonly reason: string }} SkippedTarget */
/**
 * Where the figures of a price come from: a page, and the day on which it was read.
 * @typedef {{ readonly version: string, readonly page: string, readonly seen?: string }} PriceSource
 */
/**
 * A limit at the admission of a request. Amounts are in its unit, and dollars for `cost`.
 * @typedef {object} AdmittedLimit
 * @property {string} scope
 * @property {string} name
 * @property {string} unit
 * @property {number} amount
 * @property {string} [per]
 * @property {string} [each]
 * @property {readonly string[]} models
 * @property {boolean} enforce
 * @property {number} [reserves]
 * @property {number} [remaining]
 * @property {number} [spent]
 * @property {number} [resetMs]
 * @property {true} [shadowed]
 */
export {};
