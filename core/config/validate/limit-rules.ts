import { isObject } from '../../canonical/json/members.ts';
import type { LimitUnit } from '../../contracts/limit.ts';
import { items, member, text } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import { DURATION_PATTERN, parseDuration } from '../units/duration.ts';
import { isCalendarWindow, limitUnits, LONGEST_WINDOW, SHORTEST_WINDOW, toNanoDollars } from '../units/limit-units.ts';
import type { Finding, Path } from '../problem.ts';
import { limitMembers } from '../schema/limit.ts';

const isDuration = (per: string): boolean => new RegExp(DURATION_PATTERN).test(per);

/** The sliding window that comes nearest to a calendar one. */
const slidingTwins: Readonly<Record<string, string>> = { hour: '1h', day: '24h', week: '7d', month: '30d' };
const HOUR = 3_600_000;
const calendarTwin = (ms: number): string | undefined =>
  ms === HOUR
    ? 'hour'
    : ms === 24 * HOUR
      ? 'day'
      : ms === 7 * 24 * HOUR
        ? 'week'
        : ms >= 28 * 24 * HOUR && ms <= LONGEST_WINDOW
          ? 'month'
          : undefined;

const checkCalendar = (per: string, path: Path): readonly Finding[] => {
  if (isCalendarWindow(per)) return [];
  const twin = isDuration(per) ? calendarTwin(parseDuration(per)) : undefined;
  return [
    {
      path,
      rule: 'wrong-window',
      message: `${describePath(path)} must be hour, day, week or month: money is counted by the calendar.${twin === undefined ? '' : ` Write ${twin}.`}`,
    },
  ];
};

const checkSliding = (per: string, unit: LimitUnit, path: Path): readonly Finding[] => {
  if (isCalendarWindow(per))
    return [
      {
        path,
        rule: 'wrong-window',
        message: `${describePath(path)} must be a length of time: ${unit} are counted in a sliding window, not by the calendar. Write ${slidingTwins[per]}.`,
      },
    ];
  if (!isDuration(per)) return [];
  const ms = parseDuration(per);
  return ms < SHORTEST_WINDOW || ms > LONGEST_WINDOW
    ? [{ path, rule: 'out-of-range', message: `${describePath(path)} must be 1s to 31d.` }]
    : [];
};

const checkWindow = (limit: unknown, unit: LimitUnit, path: Path): readonly Finding[] => {
  const given = member(limit, 'per');
  const at = [...path, 'per'];
  if (unit === 'concurrent')
    return given === undefined
      ? []
      : [
          {
            path: at,
            on: 'key',
            rule: 'unused-window',
            message: `${describePath(at)} says nothing: concurrent counts the answers that are being made at one moment. Remove it.`,
          },
        ];
  if (given === undefined)
    return [
      {
        path,
        rule: 'missing-window',
        message: `${describePath(path)} needs "per", the window in which ${unit === 'cost' ? 'money is counted, like month' : `${unit} are counted, like 1m`}.`,
      },
    ];
  if (typeof given !== 'string') return [];
  return unit === 'cost' ? checkCalendar(given, at) : checkSliding(given, unit, at);
};

const checkBurst = (limit: unknown, unit: LimitUnit, path: Path): readonly Finding[] => {
  const at = [...path, 'burst'];
  return member(limit, 'burst') !== undefined && (unit === 'cost' || unit === 'concurrent')
    ? [
        {
          path: at,
          on: 'key',
          rule: 'unused-burst',
          message: `${describePath(at)} says nothing: only requests and tokens can be counted in a token bucket, ${unit} cannot. Remove it.`,
        },
      ]
    : [];
};

const checkSoft = (limit: unknown, unit: LimitUnit, path: Path): readonly Finding[] => {
  const at = [...path, 'soft'];
  return member(limit, 'soft') !== undefined && unit !== 'cost'
    ? [
        {
          path: at,
          on: 'key',
          rule: 'unused-soft',
          message: `${describePath(at)} says nothing: it tells how much of a budget is spent, and ${unit} are no money. Remove it.`,
        },
      ]
    : [];
};

/** What is no number is told by the schema. */
const checkAmounts = (limit: unknown, unit: LimitUnit, path: Path): readonly Finding[] =>
  [unit, 'burst'].flatMap((name): readonly Finding[] => {
    const given = member(limit, name);
    if (typeof given !== 'number' || given <= 0) return [];
    const at = [...path, name];
    const amount = name === 'cost' ? toNanoDollars(given) : given;
    if (amount === 0)
      return [
        {
          path: at,
          rule: 'out-of-range',
          message: `${describePath(at)} is less than a nano-dollar; it must be at least 0.000000001.`,
        },
      ];
    const most = name === 'cost' ? Math.floor(Number.MAX_SAFE_INTEGER / 1e9) : Number.MAX_SAFE_INTEGER;
    return amount > Number.MAX_SAFE_INTEGER
      ? [{ path: at, rule: 'out-of-range', message: `${describePath(at)} must be at most ${most}.` }]
      : [];
  });

const unitsOf = (limit: unknown): readonly LimitUnit[] =>
  limitUnits.filter((unit) => member(limit, unit) !== undefined);

/** One limit by itself, beyond what its schema says. */
const checkLimit = (limit: unknown, path: Path): readonly Finding[] => {
  if (!isObject(limit)) return [];
  const [unit, second, ...more] = unitsOf(limit);
  if (unit === undefined) {
    // A misspelt unit has been told of already, with the word that was meant.
    const isMisspelt = Object.keys(limit).some((name) => !limitMembers.has(name));
    return isMisspelt
      ? []
      : [
          {
            path,
            rule: 'missing-unit',
            message: `${describePath(path)} does not say what it limits: give one of ${limitUnits.slice(0, -1).join(', ')} and ${limitUnits.at(-1)}.`,
          },
        ];
  }
  if (second !== undefined)
    return [
      {
        path: [...path, second],
        on: 'key',
        rule: 'ambiguous-unit',
        message: `${describePath(path)} limits several things: ${[unit, second, ...more].join(', ')}. Write one limit for each.`,
      },
    ];
  return [
    ...checkWindow(limit, unit, path),
    ...checkBurst(limit, unit, path),
    ...checkSoft(limit, unit, path),
    ...checkAmounts(limit, unit, path),
  ];
};

/** What a limit counts, whatever its figures. One that is tried out counts for itself, so that it can stand beside the one that holds. */
const identify = (limit: unknown): string | undefined => {
  const [unit, second] = unitsOf(limit);
  if (unit === undefined || second !== undefined) return undefined;
  const per = text(member(limit, 'per'));
  const window = per !== undefined && isDuration(per) ? parseDuration(per) : per;
  const models = items(member(limit, 'models')).map(String);
  return JSON.stringify([unit, window, [...new Set(models)].toSorted(), member(limit, 'enforce') !== false]);
};

/** A list of limits beyond what its schema says: for the file and for what comes from elsewhere alike. */
export function checkLimitList(list: unknown, path: Path): readonly Finding[] {
  const first = new Map<string, Path>();
  return items(list).flatMap((limit, index): readonly Finding[] => {
    const at = [...path, index];
    const identity = identify(limit);
    const twin = identity === undefined ? undefined : first.get(identity);
    if (identity !== undefined) first.set(identity, twin ?? at);
    const repeats: readonly Finding[] =
      twin === undefined
        ? []
        : [
            {
              path: at,
              rule: 'duplicate-limit',
              message: `${describePath(at)} counts the same as ${describePath(twin)}: the same unit, window and models. Keep one of them.`,
            },
          ];
    return [...checkLimit(limit, at), ...repeats];
  });
}
