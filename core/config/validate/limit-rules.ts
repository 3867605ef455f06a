import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import type { LimitUnit } from '../../contracts/caller.ts';
import { member, text } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import { DURATION_PATTERN, parseDuration } from '../units/duration.ts';
import { isCalendarWindow, limitUnits, LONGEST_WINDOW, SHORTEST_WINDOW, toNanoDollars } from '../units/limit-units.ts';
import type { Finding, Path } from '../problem.ts';
import { limitMembers } from '../schema/limit.ts';

const DURATION = new RegExp(DURATION_PATTERN);
const isDuration = (per: string): boolean => DURATION.test(per);

/** The sliding window closest to each calendar window. */
const slidingEquivalents: Readonly<Record<string, string>> = { hour: '1h', day: '24h', week: '7d', month: '30d' };
const HOUR = 3_600_000;
/** The calendar window closest to a sliding one. */
const calendarEquivalent = (ms: number): string | undefined =>
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
  const suggestion = isDuration(per) ? calendarEquivalent(parseDuration(per)) : undefined;
  return [
    {
      path,
      rule: 'wrong-window',
      message:
        `${describePath(path)} must be hour, day, week or month: ` +
        `cost is counted by calendar period.${suggestion === undefined ? '' : ` Use ${suggestion}.`}`,
    },
  ];
};

const checkSliding = (per: string, unit: LimitUnit, path: Path): readonly Finding[] => {
  if (isCalendarWindow(per))
    return [
      {
        path,
        rule: 'wrong-window',
        message:
          `${describePath(path)} must be a duration: ` +
          `${unit} are counted in a sliding window, not by calendar period. Use ${slidingEquivalents[per]}.`,
      },
    ];
  if (!isDuration(per)) return [];
  const ms = parseDuration(per);
  return ms < SHORTEST_WINDOW || ms > LONGEST_WINDOW
    ? [{ path, rule: 'out-of-range', message: `${describePath(path)} must be between 1s and 31d.` }]
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
            message:
              `${describePath(at)} has no effect: concurrent counts the responses in progress, without a window. ` +
              'Remove it.',
          },
        ];
  if (given === undefined)
    return [
      {
        path,
        rule: 'missing-window',
        message:
          unit === 'cost'
            ? `${describePath(path)} needs "per", the calendar period in which cost is counted, such as month.`
            : `${describePath(path)} needs "per", the window in which ${unit} are counted, such as 1m.`,
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
          message:
            `${describePath(at)} has no effect: a token bucket can count requests and tokens, but not ${unit}. ` +
            'Remove it.',
        },
      ]
    : [];
};

const checkSoft = (limit: unknown, unit: LimitUnit, path: Path): readonly Finding[] => {
  const at = [...path, 'soft'];
  const each = text(member(limit, 'each'));
  const counted = each === undefined ? unit : `${unit} for each ${each}`;
  return member(limit, 'soft') !== undefined && (unit !== 'cost' || each !== undefined)
    ? [
        {
          path: at,
          on: 'key',
          rule: 'unused-soft',
          message:
            `${describePath(at)} has no effect: ` +
            `it sets alerts for limits of cost, and this limit counts ${counted}. Remove it.`,
        },
      ]
    : [];
};

/** Values that are not positive numbers are reported by the schema. */
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
          message: `${describePath(at)} is less than a nano-dollar. It must be at least 0.000000001.`,
        },
      ];
    const most = name === 'cost' ? Math.floor(Number.MAX_SAFE_INTEGER / 1e9) : Number.MAX_SAFE_INTEGER;
    return amount > Number.MAX_SAFE_INTEGER
      ? [{ path: at, rule: 'out-of-range', message: `${describePath(at)} must be at most ${most}.` }]
      : [];
  });

const unitsOf = (limit: unknown): readonly LimitUnit[] =>
  limitUnits.filter((unit) => member(limit, unit) !== undefined);

/** Checks one limit for what the schema cannot express. */
const checkLimit = (limit: unknown, path: Path): readonly Finding[] => {
  if (!isObject(limit)) return [];
  const [unit, second, ...more] = unitsOf(limit);
  if (unit === undefined) {
    // A misspelt unit is reported as an unknown key, with a suggestion.
    const isMisspelt = Object.keys(limit).some((name) => !limitMembers.has(name));
    return isMisspelt
      ? []
      : [
          {
            path,
            rule: 'missing-unit',
            message:
              `${describePath(path)} has no unit. ` +
              `Give it one of ${limitUnits.slice(0, -1).join(', ')} and ${limitUnits.at(-1)}.`,
          },
        ];
  }
  if (second !== undefined)
    return [
      {
        path: [...path, second],
        on: 'key',
        rule: 'ambiguous-unit',
        message:
          `${describePath(path)} has several units: ${[unit, second, ...more].join(', ')}. ` +
          'Write one limit for each.',
      },
    ];
  return [
    ...checkWindow(limit, unit, path),
    ...checkBurst(limit, unit, path),
    ...checkSoft(limit, unit, path),
    ...checkAmounts(limit, unit, path),
  ];
};

/**
 * Identifies what a limit counts, regardless of its amount. Limits with `enforce: false` are distinct, so that a limit
 * can be tried out beside the enforced one.
 */
const identify = (limit: unknown): string | undefined => {
  const [unit, second] = unitsOf(limit);
  if (unit === undefined || second !== undefined) return undefined;
  const per = text(member(limit, 'per'));
  const window = per !== undefined && isDuration(per) ? parseDuration(per) : per;
  const models = readList(member(limit, 'models')).map(String);
  const each = text(member(limit, 'each'));
  return JSON.stringify([unit, window, [...new Set(models)].toSorted(), each, member(limit, 'enforce') !== false]);
};

/** Checks a list of limits, of the file or of another source, for what the schema cannot express. */
export function checkLimitList(list: unknown, path: Path): readonly Finding[] {
  const first = new Map<string, Path>();
  return readList(list).flatMap((limit, index): readonly Finding[] => {
    const at = [...path, index];
    const identity = identify(limit);
    const earlier = identity === undefined ? undefined : first.get(identity);
    if (identity !== undefined) first.set(identity, earlier ?? at);
    const repeats: readonly Finding[] =
      earlier === undefined
        ? []
        : [
            {
              path: at,
              rule: 'duplicate-limit',
              message:
                `${describePath(at)} has the same unit, window and models as ${describePath(earlier)}. ` +
                'Remove one of them.',
            },
          ];
    return [...checkLimit(limit, at), ...repeats];
  });
}
