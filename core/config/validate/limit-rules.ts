import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import type { LimitUnit } from '../../contracts/caller.ts';
import { member, text } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import { isDuration, parseDuration } from '../units/duration.ts';
import { isCalendarWindow, limitUnits, LONGEST_WINDOW, SHORTEST_WINDOW, toNanoDollars } from '../units/limit-units.ts';
import type { Finding, Path } from '../problem.ts';
import { limitMembers } from '../schema/limit.ts';

/** Pairs of a calendar window and the sliding window closest to it. */
const equivalents: Readonly<Record<string, string>> = { hour: '1h', day: '24h', week: '7d', month: '30d' };
const DAY_MS = 86_400_000;

/** The calendar window closest to a sliding one. */
const calendarEquivalent = (ms: number): string | undefined =>
  ms >= 28 * DAY_MS && ms <= LONGEST_WINDOW
    ? 'month'
    : Object.keys(equivalents).find((calendar) => parseDuration(equivalents[calendar] ?? '') === ms);

const findCalendarFlaw = (per: string, path: Path): Finding | undefined => {
  if (isCalendarWindow(per)) return undefined;
  const suggestion = isDuration(per) ? calendarEquivalent(parseDuration(per)) : undefined;
  const message =
    `${describePath(path)} must be hour, day, week or month: ` +
    `cost is counted by calendar period.${suggestion === undefined ? '' : ` Use ${suggestion}.`}`;
  return { path, rule: 'wrong-window', message };
};

const findSlidingFlaw = (per: string, unit: LimitUnit, path: Path): Finding | undefined => {
  if (isCalendarWindow(per)) {
    const message =
      `${describePath(path)} must be a duration: ` +
      `${unit} are counted in a sliding window, not by calendar period. Use ${equivalents[per]}.`;
    return { path, rule: 'wrong-window', message };
  }
  const ms = isDuration(per) ? parseDuration(per) : SHORTEST_WINDOW;
  if (ms >= SHORTEST_WINDOW && ms <= LONGEST_WINDOW) return undefined;
  return { path, rule: 'out-of-range', message: `${describePath(path)} must be between 1s and 31d.` };
};

const findWindowFlaw = (limit: unknown, unit: LimitUnit, path: Path): Finding | undefined => {
  const given = member(limit, 'per');
  const at = [...path, 'per'];
  if (unit === 'concurrent') {
    const message =
      `${describePath(at)} has no effect: concurrent counts the responses in progress, without a window. ` +
      'Remove it.';
    return given === undefined ? undefined : { path: at, on: 'key', rule: 'unused-window', message };
  }
  if (given === undefined) {
    const message =
      unit === 'cost'
        ? `${describePath(path)} needs "per", the calendar period in which cost is counted, such as month.`
        : `${describePath(path)} needs "per", the window in which ${unit} are counted, such as 1m.`;
    return { path, rule: 'missing-window', message };
  }
  if (typeof given !== 'string') return undefined;
  return unit === 'cost' ? findCalendarFlaw(given, at) : findSlidingFlaw(given, unit, at);
};

/** Settings that a limit of this unit does not use. */
function* checkUnused(limit: unknown, unit: LimitUnit, path: Path): Iterable<Finding> {
  if (member(limit, 'burst') !== undefined && (unit === 'cost' || unit === 'concurrent')) {
    const at = [...path, 'burst'];
    const message =
      `${describePath(at)} has no effect: a token bucket can count requests and tokens, but not ${unit}. ` +
      'Remove it.';
    yield { path: at, on: 'key', rule: 'unused-burst', message };
  }
  const each = text(member(limit, 'each'));
  if (member(limit, 'soft') !== undefined && (unit !== 'cost' || each !== undefined)) {
    const at = [...path, 'soft'];
    const counted = each === undefined ? unit : `${unit} for each ${each}`;
    const message =
      `${describePath(at)} has no effect: ` +
      `it sets alerts for limits of cost, and this limit counts ${counted}. Remove it.`;
    yield { path: at, on: 'key', rule: 'unused-soft', message };
  }
}

/** Values that are not positive numbers are reported by the schema. */
function* checkAmounts(limit: unknown, unit: LimitUnit, path: Path): Iterable<Finding> {
  for (const name of [unit, 'burst']) {
    const given = member(limit, name);
    if (typeof given !== 'number' || given <= 0) continue;
    const at = [...path, name];
    const amount = name === 'cost' ? toNanoDollars(given) : given;
    const most = name === 'cost' ? Math.floor(Number.MAX_SAFE_INTEGER / 1e9) : Number.MAX_SAFE_INTEGER;
    if (amount === 0) {
      const message = `${describePath(at)} is less than a nano-dollar. It must be at least 0.000000001.`;
      yield { path: at, rule: 'out-of-range', message };
    } else if (amount > Number.MAX_SAFE_INTEGER)
      yield { path: at, rule: 'out-of-range', message: `${describePath(at)} must be at most ${most}.` };
  }
}

const unitsOf = (limit: unknown): readonly LimitUnit[] =>
  limitUnits.filter((unit) => member(limit, unit) !== undefined);

/** Checks one limit for what the schema cannot express. */
function* checkLimit(limit: unknown, path: Path): Iterable<Finding> {
  if (!isObject(limit)) return;
  const [unit, second, ...more] = unitsOf(limit);
  if (unit === undefined) {
    // A misspelt unit is reported as an unknown key, with a suggestion.
    if (Object.keys(limit).some((name) => !limitMembers.has(name))) return;
    const message =
      `${describePath(path)} has no unit. ` +
      `Give it one of ${limitUnits.slice(0, -1).join(', ')} and ${limitUnits.at(-1)}.`;
    yield { path, rule: 'missing-unit', message };
  } else if (second !== undefined) {
    const units = [unit, second, ...more].join(', ');
    const message = `${describePath(path)} has several units: ${units}. Write one limit for each.`;
    yield { path: [...path, second], on: 'key', rule: 'ambiguous-unit', message };
  } else {
    const ofWindow = findWindowFlaw(limit, unit, path);
    if (ofWindow !== undefined) yield ofWindow;
    yield* checkUnused(limit, unit, path);
    yield* checkAmounts(limit, unit, path);
  }
}

/**
 * Identifies what a limit counts, regardless of its amount. Limits with `enforce: false` are distinct, so that a limit
 * can be tried out beside the enforced one.
 */
const identify = (limit: unknown): string | undefined => {
  const [unit, second] = unitsOf(limit);
  if (unit === undefined || second !== undefined) return undefined;
  const per = text(member(limit, 'per'));
  const window = isDuration(per) ? parseDuration(per) : per;
  const models = readList(member(limit, 'models')).map(String);
  const each = text(member(limit, 'each'));
  return JSON.stringify([unit, window, [...new Set(models)].toSorted(), each, member(limit, 'enforce') !== false]);
};

/** Checks a list of limits, of the file or of another source, for what the schema cannot express. */
export function* checkLimitList(list: unknown, path: Path): Iterable<Finding> {
  const first = new Map<string, Path>();
  for (const [index, limit] of readList(list).entries()) {
    const at = [...path, index];
    yield* checkLimit(limit, at);
    const identity = identify(limit);
    if (identity === undefined) continue;
    const earlier = first.get(identity);
    first.set(identity, earlier ?? at);
    if (earlier === undefined) continue;
    const other = describePath(earlier);
    const message = `${describePath(at)} has the same unit, window and models as ${other}. Remove one of them.`;
    yield { path: at, rule: 'duplicate-limit', message };
  }
}
