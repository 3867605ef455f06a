import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { limitUnits } from '../../config/units/limit-units.ts';
import { MisuseError } from '../command.ts';

const NOTATION = /^(\w+)=(\d+(?:\.\d+)?)(?:\/(\w+(?:\.\w+)?))?$/;

/** Reads `requests=60/1m`, `cost=25/month` or `concurrent=8`. @returns the limit as in the file @throws MisuseError */
export function parseLimit(text: string): JsonObject {
  const [, unit, amount, per] = NOTATION.exec(text) ?? [];
  if (unit === undefined || amount === undefined)
    throw new MisuseError(`--limit must look like requests=60/1m, cost=25/month or concurrent=8, not "${text}".`);
  return omitUndefined({ [unit]: Number(amount), per });
}

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
