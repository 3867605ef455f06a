import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { limitUnits } from '../../config/units/limit-units.ts';
import { MisuseError } from '../command.ts';

const NOTATION = /^(\w+)=(\d+(?:\.\d+)?)(?:\/(\w+(?:\.\w+)?))?$/;

/** `requests=60/1m`, `cost=25/month`, `concurrent=8` as the file would write it. @throws MisuseError */
export function parseLimit(text: string): JsonObject {
  const [, unit, amount, per] = NOTATION.exec(text) ?? [];
  if (unit === undefined || amount === undefined)
    throw new MisuseError(`--limit must look like requests=60/1m, cost=25/month or concurrent=8, not "${text}".`);
  return omitUndefined({ [unit]: Number(amount), per });
}

/** The same backwards; what the notation has no word for stands in brackets. */
export function formatLimit(limit: JsonObject): string {
  const unit = limitUnits.find((name) => limit[name] !== undefined) ?? 'requests';
  const { [unit]: amount, per, ...more } = limit;
  const rest = Object.entries(more).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  );
  return `${unit}=${String(amount)}${per === undefined ? '' : `/${String(per)}`}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`;
}
