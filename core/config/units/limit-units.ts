import type { CalendarWindow, LimitUnit } from '../../contracts/caller.ts';

/** The units of limits, as the file names them. */
export const limitUnits: readonly LimitUnit[] = [
  'requests',
  'tokens',
  'inputTokens',
  'outputTokens',
  'images',
  'seconds',
  'characters',
  'cost',
  'concurrent',
];

const calendarWindows: readonly string[] = ['hour', 'day', 'week', 'month'] satisfies readonly CalendarWindow[];
export const isCalendarWindow = (per: unknown): per is CalendarWindow =>
  typeof per === 'string' && calendarWindows.includes(per);

/** Cost is counted in whole nano-dollars (10⁻⁹ USD). */
export const toNanoDollars = (dollars: number): number => Math.round(dollars * 1e9);

/** The bounds of a sliding window in milliseconds. */
export const SHORTEST_WINDOW = 1000;
export const LONGEST_WINDOW = 31 * 86_400_000;
