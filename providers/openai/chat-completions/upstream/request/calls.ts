import { isObject, type Lose, parseJson } from '../../../../../core/api/codec.ts';
import { hasNoArguments } from '../../../../../core/api/internal.ts';
import { shortenCallId } from '../../../shorten.ts';
import { WIRE } from '../../shape.ts';

/**
 * The arguments of a call in the history. The wires take any text, but many servers parse it and refuse the whole
 * conversation: vLLM, SGLang, llama.cpp. What is not a JSON object is wrapped in one, never dropped: models do write
 * truncated arguments. Clients of the wire send what they like (`native`).
 */
export function writeCallInput(text: string, field: string, native: boolean, lose: Lose): string {
  if (text.trim() === '') return '{}';
  if (native) return text;
  if (hasNoArguments(text)) return '{}';
  const value = parseJson(text);
  if (isObject(value)) return text;
  lose(field, 'approximated', 'arguments that are not a JSON object were wrapped in one');
  return value === undefined ? JSON.stringify({ _raw: text }) : `{"value":${text}}`;
}

const MAX_LENGTH = 40;

/** The id of a call within the vendor's limit. A client of this wire gets the vendor's error instead. */
export const writeCallId = (id: string, wire: string): string => (wire === WIRE ? id : shortenCallId(id, MAX_LENGTH));
