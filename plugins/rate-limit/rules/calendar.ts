import { GatewayError, type CalendarWindow } from '../../../core/api/index.ts';

/** The unix milliseconds at which the windows before, at and after a moment begin, and the end of the last. */
export type Bounds = readonly [before: number, current: number, next: number, end: number];

/** The end of the window that begins at `start`. */
export const endOf = (bounds: readonly number[], start: number): number =>
  bounds.find((bound) => bound > start) ?? start;

/** The store decides by its own clock which window counts: the one whose end is nearest to the wait. */
export function nearestBound(bounds: readonly number[], at: number): number | undefined {
  const distance = (bound: number): number => Math.abs(bound - at);
  return bounds.toSorted((one, other) => distance(one) - distance(other))[0];
}

export interface Calendar {
  bounds(window: CalendarWindow, now: number): Bounds;
}

const SECOND = 1_000;
const HOUR = 3_600_000;
/** No time zone is further from UTC. */
const MAX_OFFSET = 15 * HOUR;

/** Converts unix milliseconds to the local time of a zone, as if that were UTC. */
type WallClock = (at: number) => number;

/** UTC, the default, avoids `Intl`: the first format loads the time zones, which takes a tenth of a second. */
const utc: WallClock = (at) => Math.floor(at / SECOND) * SECOND;

const createWallClock = (timeZone: string): WallClock => {
  if (timeZone === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const read = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
    return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  };
};

/** The local midnight at which the window `steps` after the current one begins. */
const midnights: Readonly<Record<Exclude<CalendarWindow, 'hour'>, (wall: Date, steps: number) => number>> = {
  day: (wall, steps) => Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + steps),
  week: (wall, steps) =>
    Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() - ((wall.getUTCDay() + 6) % 7) + 7 * steps),
  month: (wall, steps) => Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + steps, 1),
};

/** The first second at which the local time is at or after a midnight: the clocks may skip midnight itself. */
const findInstant = (wallClock: WallClock, midnight: number): number => {
  let before = (midnight - MAX_OFFSET) / SECOND;
  let after = (midnight + MAX_OFFSET) / SECOND;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallClock(middle * SECOND) < midnight) before = middle;
    else after = middle;
  }
  return after * SECOND;
};

const findHours = (wallClock: WallClock, now: number): Bounds => {
  const offset = wallClock(now) - Math.floor(now / SECOND) * SECOND;
  const current = Math.floor((now + offset) / HOUR) * HOUR - offset;
  return [current - HOUR, current, current + HOUR, current + 2 * HOUR];
};

/** @throws GatewayError if there is no such zone */
const openWallClock = (timeZone: string): WallClock => {
  try {
    return createWallClock(timeZone);
  } catch (cause) {
    throw new GatewayError(
      'KOINE_CONFIG_INVALID',
      `timeZone: ${JSON.stringify(timeZone)} is not a time zone; give an IANA name, like UTC or Europe/Berlin.`,
      { cause },
    );
  }
};

/**
 * Hours, days, weeks (from Monday) and months of a time zone, with daylight saving. Computed once per window.
 * @throws GatewayError if there is no such zone
 */
export function createCalendar(timeZone: string): Calendar {
  const wallClock = openWallClock(timeZone);
  const compute = (window: CalendarWindow, now: number): Bounds => {
    if (window === 'hour') return findHours(wallClock, now);
    const wall = new Date(wallClock(now));
    const beginOf = (steps: number): number => findInstant(wallClock, midnights[window](wall, steps));
    return [beginOf(-1), beginOf(0), beginOf(1), beginOf(2)];
  };
  const known = new Map<CalendarWindow, Bounds>();
  return {
    bounds: (window, now) => {
      const found = known.get(window);
      if (found !== undefined && found[1] <= now && now < found[2]) return found;
      const bounds = compute(window, now);
      known.set(window, bounds);
      return bounds;
    },
  };
}
