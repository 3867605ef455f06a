import { units } from '../limits.js';

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
