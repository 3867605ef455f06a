import type { CalendarWindow, LimitUnit } from '../../contracts/limit.ts';

/** All that a limit can count, as the file writes it. */
export const limitUnits: readonly LimitUnit[] = [
  'requests',
  'tokens',
  'inputTokens',
  'outputTokens',
  'cost',
  'concurrent',
];

const calendarWindows: readonly string[] = ['hour', 'day', 'week', 'month'] satisfies readonly CalendarWindow[];
export const isCalendarWindow = (per: unknown): per is CalendarWindow =>
  typeof per === 'string' && calendarWindows.includes(per);

/** USD are counted in whole nano-dollars (10⁻⁹ USD). */
export const toNanoDollars = (dollars: number): number => Math.round(dollars * 1e9);

/** The bounds of a sliding window, in milliseconds: a second and 31 days. */
export const SHORTEST_WINDOW = 1000;
export const LONGEST_WINDOW = 31 * 86_400_000;
