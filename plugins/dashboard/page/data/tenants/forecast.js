/** @import { ListedLimit } from '../limits.js' */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Before this part of its window, and before this time, the use of a budget says little about the rest. */
const LEAST_SHARE = 0.05;
const LEAST_MS = 10 * 60_000;

/** When the calendar window that ends then has begun. @param {string} per @param {number} end */
const startOf = (per, end) => {
  if (per === 'hour') return end - HOUR;
  if (per === 'day') return end - DAY;
  if (per === 'week') return end - 7 * DAY;
  const at = new Date(end);
  return at.setUTCMonth(at.getUTCMonth() - 1);
};

/**
 * What becomes of a budget if it is used on as fast as since the start of its window.
 * @typedef {object} Forecast
 * @property {number} [spentAt] when it is spent, in unix milliseconds; absent: it lasts
 * @property {number} total what is used by the end of the window without the limit
 */

/**
 * undefined: it is no budget, is spent already, or its window has just begun.
 * @param {ListedLimit} limit
 * @param {number} now
 * @returns {Forecast | undefined}
 */
export const forecast = ({ unit, per = '', used = 0, limit, resetMs = 0 }, now) => {
  if (unit !== 'cost' || used <= 0 || used >= limit || resetMs <= 0) return undefined;
  const end = now + resetMs;
  const start = startOf(per, end);
  const elapsed = now - start;
  if (elapsed < Math.max(LEAST_MS, (end - start) * LEAST_SHARE)) return undefined;
  const rate = used / elapsed;
  const spentAt = now + (limit - used) / rate;
  return { total: rate * (end - start), ...(spentAt < end ? { spentAt } : {}) };
};
