import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, parseExactJson, type Lose } from '../../../core/api/codec.ts';

/** Below the depth that a body can have: writing deeper values overflows the stack. */
const MAX_DEPTH = 120;

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/** Parses JSON that can be embedded in a body; `undefined` for text that is not JSON, or is nested too deep. */
export function parseShallow(text: string): unknown {
  const value = parseExactJson(text);
  return isDeeper(value, MAX_DEPTH) ? undefined : value;
}

/**
 * The arguments of a call as the object that the wire requires. Empty text means no arguments. A value that is not an
 * object is wrapped, never dropped.
 */
export function parseCallInput(text: string, field: string, lose: Lose): JsonObject {
  if (text.trim() === '') return {};
  const value = parseShallow(text);
  if (isObject(value)) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object, or are nested too deep, were wrapped in one');
  return value === undefined ? { _raw: text } : { value };
}
