import { startOfDay } from './zone.js';

/** Periods that end now, in milliseconds. @type {Readonly<Record<string, { title: string, ms: number }>>} */
export const periods = {
  '15m': { title: 'Last 15 minutes', ms: 900_000 },
  '1h': { title: 'Last hour', ms: 3_600_000 },
  '24h': { title: 'Last 24 hours', ms: 86_400_000 },
  '7d': { title: 'Last 7 days', ms: 604_800_000 },
  '30d': { title: 'Last 30 days', ms: 2_592_000_000 },
  '1y': { title: 'Last 365 days', ms: 31_536_000_000 },
};

/** What a list of periods ends with. @type {readonly (readonly [string, string])[]} */
export const furtherPeriods = [
  ['yesterday', 'Yesterday'],
  ['custom', 'From … to …'],
];

/** Yesterday, in the zone that is shown. @param {number} now */
export const yesterday = (now) => ({
  from: new Date(startOfDay(now, 1)).toISOString(),
  to: new Date(startOfDay(now)).toISOString(),
});

/**
 * A period of the address. A period that ends now has no `to`.
 * @param {Readonly<Record<string, string>>} query
 * @param {number} now
 * @param {string} first the period without a choice
 * @returns {{ from: string, to?: string }}
 */
export const readTimes = ({ period, from, to }, now, first) => {
  if (period === 'yesterday') return yesterday(now);
  if (period === 'custom' && from !== undefined) return { from, ...(to === undefined ? {} : { to }) };
  const { ms } = periods[period ?? first] ?? { ms: 86_400_000 };
  return { from: new Date(now - ms).toISOString() };
};
