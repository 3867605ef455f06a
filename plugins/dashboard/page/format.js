const LANGUAGE = 'en';
const whole = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 9, minimumSignificantDigits: 2, maximumSignificantDigits: 3 });

/** What nobody can say. */
export const NOTHING = '–';

/** @param {number} count */
export const writeCount = (count) => whole.format(count);
/** @param {number} number */
export const writeNumber = (number) => (Math.abs(number) < 100 ? fine : whole).format(number);

/** @param {number} part @param {number} total */
export const writeShare = (part, total) => (total === 0 ? NOTHING : percent.format(part / total));

/** @param {string | number} amount a decimal number of dollars */
export const writeDollars = (amount) => {
  const dollars = Number(amount);
  return (dollars === 0 || Math.abs(dollars) >= 1 ? cents : fractions).format(dollars);
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
/** `2026-11-21 09:00:07` @param {string | number} time */
export const writeTime = (time) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** `client_closed` as people write it. @param {string} word */
export const writeWord = (word) => word.replaceAll(/[_-]/g, ' ');
