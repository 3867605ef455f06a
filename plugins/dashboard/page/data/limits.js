import { requestJson, writeQuery } from './api.js';
import { formatDollars, formatNumber } from './format.js';

/**
 * @typedef {object} ListedLimit
 * @property {'organization' | 'project' | 'key'} scope
 * @property {string} organization
 * @property {string} [project]
 * @property {string} [key]
 * @property {string} unit
 * @property {string} [per]
 * @property {readonly string[]} models
 * @property {string} [each]
 * @property {boolean} enforce
 * @property {number} limit
 * @property {number} [used]
 * @property {number} [resetMs]
 * @property {boolean} [refuses] a budget that has refused a request in its window
 */
/**
 * @typedef {object} LimitList
 * @property {'redis' | 'local'} store
 * @property {readonly ListedLimit[]} limits
 * @property {string | null} next the position of the next page
 * @property {number} unread budgets that are counted without what the ledger has of them
 */

/** @type {Readonly<Record<string, string>>} */
export const units = {
  requests: 'Requests',
  tokens: 'Tokens',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  images: 'Images',
  seconds: 'Seconds of audio',
  characters: 'Characters',
  cost: 'Cost',
  concurrent: 'Concurrent requests',
};

/**
 * A page of limits. Empty parameters are left out.
 * @param {Readonly<Record<string, string>>} query
 * @param {AbortSignal} signal
 */
export const readLimits = async (query, signal) =>
  /** @type {LimitList} */ (await requestJson(`/admin/limits?${writeQuery(query)}`, signal));

/** @param {ListedLimit} limit */
export const utilization = ({ used = 0, limit }) => used / limit;

/** From here on the share is shown as 100 %: no request of a usual size fits into it any more. */
const SPENT = 0.995;
/** @param {ListedLimit} limit @returns {'good' | 'warn' | 'bad'} */
export const toneOfLimit = (limit) => {
  const part = utilization(limit);
  return part >= SPENT ? 'bad' : part >= 0.8 || limit.refuses ? 'warn' : 'good';
};

/** @param {ListedLimit} limit */
export const ownerOf = ({ organization, project, key }) =>
  [organization, project, key].filter((name) => name !== undefined).join('/');

/**
 * `Cost per month for each user`
 * @param {Pick<ListedLimit, 'unit' | 'per' | 'models' | 'each' | 'enforce'>} limit
 */
export const describeLimit = ({ unit, per, models, each, enforce }) =>
  [
    units[unit] ?? unit,
    per === undefined ? '' : ` per ${per}`,
    models.length === 0 ? '' : ` of ${models.join(', ')}`,
    each === undefined ? '' : ` for each ${each}`,
    enforce ? '' : ' (dry run)',
  ].join('');

/** @param {string} unit @param {number} amount */
export const formatAmount = (unit, amount) => (unit === 'cost' ? formatDollars(amount) : formatNumber(amount));

/** A limit as keys have it, in a few words: `$25.00 per month`. @param {Readonly<Record<string, unknown>>} limit */
export const summarizeLimit = (limit) => {
  const unit = Object.keys(units).find((name) => limit[name] !== undefined) ?? '';
  const amount = formatAmount(unit, Number(limit[unit]));
  const per = limit['per'] === undefined ? '' : ` per ${String(limit['per'])}`;
  return `${amount}${unit === 'cost' ? '' : ` ${(units[unit] ?? unit).toLowerCase()}`}${per}`;
};

/**
 * A limit while it is edited. `more` has the members that the form does not show.
 * @typedef {{ unit: string, amount: string, per: string, more: Readonly<Record<string, unknown>> }} DraftLimit
 */

/** @param {Readonly<Record<string, unknown>>} limit @returns {DraftLimit} */
export const draftLimit = (limit) => {
  const unit = Object.keys(units).find((name) => limit[name] !== undefined) ?? 'requests';
  const { [unit]: amount, per, ...more } = limit;
  return { unit, amount: String(amount), per: per === undefined ? '' : String(per), more };
};

/** An amount that is no number is sent as it is, so that the gateway names the mistake. @param {string} text */
const readAmount = (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));

/** @param {DraftLimit} limit */
export const writeLimit = ({ unit, amount, per, more }) => ({
  [unit]: readAmount(amount),
  ...(unit === 'concurrent' || per === '' ? {} : { per }),
  ...more,
});
