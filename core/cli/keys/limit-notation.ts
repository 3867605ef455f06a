import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { isDuration, parseDuration } from '../../config/units/duration.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import { limitUnits } from '../../config/units/limit-units.ts';
import { MisuseError } from '../command.ts';

const NOTATION = /^(\w+)=(\d+(?:\.\d+)?)(?:\/(\w+(?:\.\w+)?))?$/;

/** Reads `requests=60/1m`, `cost=25/month` or `concurrent=8`. @returns the limit as in the file @throws MisuseError */
export function parseLimit(text: string, where = '--limit'): JsonObject {
  const [, unit, amount, per] = NOTATION.exec(text) ?? [];
  if (unit === undefined || amount === undefined)
    throw new MisuseError(
      `${where} must look like requests=60/1m, cost=25/month or concurrent=8, not "${text}". ` +
        `Units are ${limitUnits.join(', ')}; a window is a duration such as 1m or 24h, or hour, day, week or month.`,
    );
  if (!limitUnits.some((known) => known === unit))
    throw new MisuseError(
      `${where} has the unit "${unit}" in "${text}"; the units are ${limitUnits.join(', ')}.` +
        describeSuggestion(unit, limitUnits),
    );
  return omitUndefined({ [unit]: Number(amount), per });
}

const SELECTOR = /^(\w+)(?:\/(\w+(?:\.\w+)?))?$/;
const unitOf = (limit: JsonObject): string | undefined => limitUnits.find((unit) => limit[unit] !== undefined);
/** `1h` and `60m` are one window. */
const windowOf = (per: unknown): unknown => (isDuration(per) ? parseDuration(per) : per);
const describeAll = (limits: readonly JsonObject[]): string =>
  limits.length === 0 ? 'It has none of its own.' : `It has ${limits.map(formatLimit).join(', ')}.`;

/**
 * Sets the amounts of limits by their unit and window, and adds those that are new.
 * @param texts in the notation of {@link parseLimit}
 * @throws MisuseError where several limits have the unit and the window
 */
export const setLimits = (limits: readonly JsonObject[], texts: readonly string[]): readonly JsonObject[] =>
  texts
    .map((text) => parseLimit(text))
    .reduce<readonly JsonObject[]>((present, limit) => {
      const unit = unitOf(limit);
      const same = present.filter((each) => unitOf(each) === unit && windowOf(each['per']) === windowOf(limit['per']));
      const [known] = same;
      if (same.length > 1)
        throw new MisuseError(
          `Several limits of the key are ${formatLimit({ ...limit })} but for their amount. ${describeAll(present)} ` +
            'Change them with PATCH /admin/keys/{id}.',
        );
      return known === undefined
        ? [...present, limit]
        : present.map((each) => (each === known ? { ...known, ...limit } : each));
    }, limits);

/**
 * Removes limits by unit (`cost`), or by unit and window (`cost/month`).
 * @throws MisuseError where there is no such limit
 */
export const removeLimits = (limits: readonly JsonObject[], selectors: readonly string[]): readonly JsonObject[] =>
  selectors.reduce<readonly JsonObject[]>((present, selector) => {
    const [, unit, per] = SELECTOR.exec(selector) ?? [];
    const kept = present.filter(
      (limit) => unitOf(limit) !== unit || (per !== undefined && windowOf(limit['per']) !== windowOf(per)),
    );
    if (kept.length === present.length)
      throw new MisuseError(`The key has no limit ${selector} to remove. ${describeAll(present)}`);
    return kept;
  }, limits);

/** The inverse of `parseLimit`. Members that the notation lacks follow in parentheses. */
export function formatLimit(limit: JsonObject): string {
  const unit = limitUnits.find((name) => limit[name] !== undefined) ?? 'requests';
  const { [unit]: amount, per, ...more } = limit;
  const others = Object.entries(more).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  );
  const period = per === undefined ? '' : `/${String(per)}`;
  return `${unit}=${String(amount)}${period}${others.length === 0 ? '' : ` (${others.join(', ')})`}`;
}
