import { inZone } from './zone.js';

const LANGUAGE = 'en';
const integer = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD' });
const smallDollars = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const tinyDollars = new Intl.NumberFormat(LANGUAGE, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 3,
});

/** Shown for a value that is not known. */
export const NO_VALUE = '–';

/** @param {number} count */
export const formatCount = (count) => integer.format(count);
/** @param {number} number */
export const formatNumber = (number) => (Math.abs(number) < 100 ? decimal : integer).format(number);

/**
 * Labels of the y axis, all with the same number of digits.
 * @param {readonly number[]} ticks
 * @param {string} [unit]
 */
export const formatTicks = (ticks, unit = '') => {
  const decimals = Math.max(0, ...ticks.map((tick) => String(Number(tick.toPrecision(6))).split('.')[1]?.length ?? 0));
  // Amounts of money have cents.
  const digits = unit === '$' && decimals === 1 ? 2 : decimals;
  const isLong = ticks.some((tick) => tick >= 10_000);
  const format = new Intl.NumberFormat(
    LANGUAGE,
    isLong ? { notation: 'compact' } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
  return ticks.map((tick) => unit + format.format(tick));
};

/** @param {number} part @param {number} total */
export const formatShare = (part, total) => (total === 0 ? NO_VALUE : percent.format(part / total));

const fine = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 2 });
/**
 * A rate close to 100 % keeps a second digit, and is never rounded up to it.
 * @param {number | null | undefined} rate
 */
export const formatRate = (rate) => {
  if (rate === undefined || rate === null) return NO_VALUE;
  return rate < 0.99 ? percent.format(rate) : fine.format(Math.floor(rate * 10_000) / 10_000);
};

/** The change from an earlier figure: `+12.5%`. @param {number} now @param {number} before */
export const formatChange = (now, before) =>
  before === 0 ? undefined : `${now >= before ? '+' : '−'}${percent.format(Math.abs(now - before) / before)}`;

const compact = new Intl.NumberFormat(LANGUAGE, { notation: 'compact', maximumFractionDigits: 2 });
/** `1.27M`, for figures whose last digits do not matter. @param {number} count */
export const formatCompact = (count) => (count < 100_000 ? integer : compact).format(count);

/** @param {string | number} amount a decimal number of dollars */
export const formatDollars = (amount) => {
  const dollars = Number(amount);
  if (dollars === 0 || Math.abs(dollars) >= 1) return cents.format(dollars);
  return (Math.abs(dollars) >= 0.01 ? smallDollars : tinyDollars).format(dollars);
};

/** @param {number | null | undefined} ms */
export const formatMs = (ms) => {
  if (ms === null || ms === undefined) return NO_VALUE;
  if (ms < 10) return `${decimal.format(ms)} ms`;
  if (ms < 1_000) return `${integer.format(ms)} ms`;
  return ms < 60_000 ? `${decimal.format(ms / 1_000)} s` : `${decimal.format(ms / 60_000)} min`;
};

/** A remaining time, rounded. @param {number} ms */
export const formatWait = (ms) => {
  if (ms < 60_000) return `${integer.format(Math.ceil(ms / 1_000))} s`;
  if (ms < 3_600_000) return `${integer.format(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${integer.format(ms / 3_600_000)} h` : `${integer.format(ms / 86_400_000)} days`;
};

/** `2026-11-21 09:00` @param {string | number} time */
export const formatMinute = (time) => inZone(time).slice(0, 16).replace('T', ' ');
/** `09:00:07` @param {string | number} time */
export const formatClock = (time) => inZone(time).slice(11, 19);
const day = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(LANGUAGE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
/**
 * Labels of the x axis: `09:00`, and `Nov 21` at the start of a day.
 * @param {'minute' | 'hour' | 'day' | 'month' | null} bucket
 * @param {number} time
 */
export const formatBucket = (bucket, time) => {
  // Sums of days and months are those of UTC.
  if (bucket === 'month') return month.format(time);
  if (bucket === 'day') return day.format(time);
  const clock = formatMinute(time).slice(11);
  return (bucket === 'hour' || bucket === 'minute') && clock !== '00:00' ? clock : day.format(Date.parse(inZone(time)));
};
/** `2026-11-21 09:00:07` @param {string | number} time */
export const formatTime = (time) => inZone(time).slice(0, 19).replace('T', ' ');

/** `client_closed` as `client closed`, `cacheRead` as `cache read`. @param {string} name */
export const formatName = (name) =>
  name.replaceAll(/[_-]/g, ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
