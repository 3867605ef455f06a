import { isObject } from '../canonical/json/members.ts';
import { hasNoArguments } from '../canonical/json/no-arguments.ts';
import type { Lose } from '../canonical/loss.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { parseExactJson } from './exact-json.ts';
import { MAX_DEPTH } from './json-layout.ts';

/** Below the depth that a body can have, which contains them: writing far deeper values overflows the stack. */
const MAX_INPUT_DEPTH = MAX_DEPTH - 8;

export const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/** Parses JSON that can be embedded in a body; `undefined` for text that is not JSON, or is nested too deep. */
export function parseShallow(text: string): unknown {
  const value = parseExactJson(text);
  return isDeeper(value, MAX_INPUT_DEPTH) ? undefined : value;
}

/**
 * The arguments of a call as the object that the wire requires. Empty text, or `null`, means none. A value that is not
 * an object is wrapped, never dropped: models of other vendors do write truncated arguments and bare values.
 */
export function parseCallInput(text: string, field: string, lose: Lose): JsonObject {
  if (hasNoArguments(text)) return {};
  const value = parseShallow(text);
  if (isObject(value)) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object, or are nested too deep, were wrapped in one');
  return value === undefined ? { _raw: text } : { value };
}
