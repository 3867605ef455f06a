const LANGUAGE = 'en';
const whole = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const crumbs = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });

/** What nobody can say. */
export const NOTHING = '–';

/** @param {number} count */
export const writeCount = (count) => whole.format(count);
/** @param {number} number */
export const writeNumber = (number) => (Math.abs(number) < 100 ? fine : whole).format(number);

/**
 * Figures beside a chart: all with the same number of digits.
 * @param {readonly number[]} ticks
 * @param {string} [unit]
 */
export const writeTicks = (ticks, unit = '') => {
  const digits = Math.max(0, ...ticks.map((tick) => String(Number(tick.toPrecision(6))).split('.')[1]?.length ?? 0));
  const isLong = ticks.some((tick) => tick >= 10_000);
  const format = new Intl.NumberFormat(
    LANGUAGE,
    isLong ? { notation: 'compact' } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
  return ticks.map((tick) => unit + format.format(tick));
};

/** @param {number} part @param {number} total */
export const writeShare = (part, total) => (total === 0 ? NOTHING : percent.format(part / total));

/** @param {string | number} amount a decimal number of dollars */
export const writeDollars = (amount) => {
  const dollars = Number(amount);
  if (dollars === 0 || Math.abs(dollars) >= 1) return cents.format(dollars);
  return (Math.abs(dollars) >= 0.01 ? fractions : crumbs).format(dollars);
};

/** @param {number | null | undefined} ms */
export const writeMs = (ms) => {
  if (ms === null || ms === undefined) return NOTHING;
  if (ms < 10) return `${fine.format(ms)} ms`;
  if (ms < 1_000) return `${whole.format(ms)} ms`;
  return ms < 60_000 ? `${fine.format(ms / 1_000)} s` : `${fine.format(ms / 60_000)} min`;
};

/** How long something will take, roughly. @param {number} ms */
export const writeWait = (ms) => {
  if (ms < 60_000) return `${whole.format(Math.ceil(ms / 1_000))} s`;
  if (ms < 3_600_000) return `${whole.format(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${whole.format(ms / 3_600_000)} h` : `${whole.format(ms / 86_400_000)} days`;
};

/** `2026-11-21 09:00` @param {string | number} time */
export const writeMinute = (time) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
/** `09:00:07` @param {string | number} time */
export const writeClock = (time) => new Date(time).toISOString().slice(11, 19);
const day = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(LANGUAGE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
/**
 * A bucket below a chart: `09:00`, and `Nov 21` where a day begins.
 * @param {'hour' | 'day' | 'month' | null} bucket
 * @param {number} time
 */
export const writeBucket = (bucket, time) => {
  if (bucket === 'month') return month.format(time);
  return bucket === 'hour' && time % 86_400_000 !== 0 ? writeMinute(time).slice(11) : day.format(time);
};
/** `2026-11-21 09:00:07` @param {string | number} time */
export const writeTime = (time) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** `client_closed` as people write it. @param {string} word */
export const writeWord = (word) => word.replaceAll(/[_-]/g, ' ');
