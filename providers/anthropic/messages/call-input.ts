import { isObject, parseJson, type JsonObject, type Lose } from '../../../core/index.ts';

/**
 * The arguments of a call as the object that the wire wants. No text means no arguments; what is not an object is wrapped, never dropped:
 * models of other vendors do write arguments that are cut off, or bare values.
 */
export const decodeInput = (text: string, field: string, lose: Lose): JsonObject => {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  if (isObject(value)) return value;
  lose(field, 'approximated', 'arguments that are not a JSON object were wrapped in one');
  return value === undefined ? { _raw: text } : { value };
};
