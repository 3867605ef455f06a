import { isObject } from '../canonical/json/members.ts';
import type { Lose } from '../canonical/loss.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { parseExactJson } from './exact-json.ts';

/** The depth that a body can have. Writing deeper values overflows the stack. */
const MAX_DEPTH = 128;

export const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/**
 * The arguments of a call as the object that the wire requires. Empty text means no arguments. A value that is not an
 * object is wrapped, never dropped: models of other vendors do write truncated arguments and bare values.
 */
export function parseCallInput(text: string, field: string, lose: Lose): JsonObject {
  if (text.trim() === '') return {};
  const value = parseExactJson(text);
  const deep = isDeeper(value, MAX_DEPTH);
  if (isObject(value) && !deep) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object, or are nested too deep, were wrapped in one');
  return value === undefined || deep ? { _raw: text } : { value };
}
