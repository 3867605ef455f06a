import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, parseExactJson, type Lose } from '../../../core/api/codec.ts';

/** The depth that a body can have. Writing deeper values overflows the stack. */
const MAX_DEPTH = 128;

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/** The arguments of a call as the object that the wire requires; anything else is wrapped in one. */
export function parseCallInput(text: string, field: string, lose: Lose): JsonObject {
  if (text.trim() === '') return {};
  const value = parseExactJson(text);
  const deep = isDeeper(value, MAX_DEPTH);
  if (isObject(value) && !deep) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object, or are nested too deep, were wrapped in one');
  return value === undefined || deep ? { _raw: text } : { value };
}
