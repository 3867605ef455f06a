import { isObject, type JsonObject, type Lose } from '../../../../../core/index.ts';
import { parseShallow } from '../../json-value.ts';

/** The arguments of a call as the object that the wire wants. No text means no arguments; what is not an object is wrapped, never dropped. */
export function encodeInput(text: string, field: string, lose: Lose): JsonObject {
  if (text.trim() === '') return {};
  const value = parseShallow(text);
  if (isObject(value)) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object, or too deep for one, were wrapped in one');
  return value === undefined ? { _raw: text } : { value };
}
