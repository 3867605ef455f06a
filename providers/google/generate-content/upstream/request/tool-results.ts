import { isObject, type JsonObject, type ToolResultPart } from '../../../../../core/index.ts';
import { parseShallow } from '../../call-input.ts';
import type { WirePart } from '../../shape.ts';
import { encodeMedia, type MediaPlace } from './media.ts';

/** Keys that mean something to the vendor: an object with one of them is given inside another, where it is data. */
const reserved = ['output', 'error'] as const;
/** More figures than a number of JSON keeps. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16,}/;

/**
 * What a tool answered, as the object that the wire wants: JSON as itself, text under `output`. `$ref` would point into the parts beside it.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
const encodeOutput = (text: string): JsonObject => {
  const value = LONG_NUMBER.test(text) ? undefined : parseShallow(text);
  if (value === undefined || typeof value === 'string') return { output: text };
  if (!isObject(value))
    return { output: typeof value === 'object' || JSON.stringify(value) === text.trim() ? value : text };
  if (Object.hasOwn(value, '$ref')) return { output: text };
  return reserved.some((key) => Object.hasOwn(value, key)) ? { output: value } : value;
};

/** A result of the function `name`. Media stand beside the response: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
export function encodeResult(
  { id, failed, parts }: ToolResultPart,
  name: string,
  { path, wire, lose }: MediaPlace,
): WirePart {
  const texts: string[] = [];
  const media: WirePart[] = [];
  parts.forEach((part, index) => {
    const place = `${path}.parts[${index}]`;
    if (part.cache !== undefined) lose(`${place}.cache`, 'dropped', 'generate-content has no cache marks');
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    else if (part.type === 'media') media.push(encodeMedia(part, { path: place, wire, lose }));
    else lose(place, 'dropped', 'the result of a function holds text and media');
  });
  const text = texts.join('\n');
  return {
    functionResponse: {
      id,
      name,
      response: failed ? { error: text } : encodeOutput(text),
      ...(media.length === 0 ? {} : { parts: media }),
    },
  };
}
