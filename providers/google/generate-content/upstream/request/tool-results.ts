import type { JsonObject, ToolResultPart } from '../../../../../core/api/index.ts';
import { isObject } from '../../../../../core/api/codec.ts';
import { parseShallow } from '../../../../../core/api/internal.ts';
import type { WirePart } from '../../shape.ts';
import { encodeMedia, type MediaContext } from './media.ts';

/** Keys with a meaning for the vendor. An object with one of them is nested, so that it is read as data. */
const reserved = ['output', 'error'] as const;
/** A number that JSON parsing would round. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16,}/;

/** Anywhere in a result, the vendor takes it for a reference to media: https://github.com/vercel/ai/issues/14369 */
const REFERENCE = /"\$ref"\s*:/;

/**
 * The result of a tool as the object that the wire requires: a JSON object as itself, everything else under `output`.
 * JSON with a `$ref` is sent as text.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
const encodeOutput = (text: string): JsonObject => {
  const value = LONG_NUMBER.test(text) || REFERENCE.test(text) ? undefined : parseShallow(text);
  if (value === undefined || typeof value === 'string') return { output: text };
  if (!isObject(value))
    return { output: typeof value === 'object' || JSON.stringify(value) === text.trim() ? value : text };
  return reserved.some((key) => Object.hasOwn(value, key)) ? { output: value } : value;
};

/**
 * Encodes a result of the function `name`, with its media next to the response.
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
export function encodeResult(
  { id, failed, parts }: ToolResultPart,
  name: string,
  { path, wire, lose }: MediaContext,
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
