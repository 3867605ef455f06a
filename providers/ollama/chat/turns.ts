import type { JsonObject, Part, ToolCallPart, ToolResultPart, Turn } from '../../../core/api/index.ts';
import { isObject, omitUndefined, parseJson, type Lose } from '../../../core/api/codec.ts';

/** Arguments are an object here. Other text is kept within one. */
const readArguments = (input: string): JsonObject => {
  const value = parseJson(input === '' ? '{}' : input);
  return isObject(value) ? value : { input };
};

const encodeCall = ({ id, name, input }: ToolCallPart): JsonObject => ({
  id,
  function: { name, arguments: readArguments(input) },
});

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');

/** Images are bytes in a list of their own. A fit has already fetched those that were URLs. */
const imagesOf = (parts: readonly Part[]): readonly string[] | undefined => {
  const images = parts.flatMap((part) => (part.type === 'media' && 'base64' in part.media ? [part.media.base64] : []));
  return images.length === 0 ? undefined : images;
};

/** A tool result is a message of its own. Older versions know the tool by its name only. */
function encodeResult(result: ToolResultPart, names: ReadonlyMap<string, string>): JsonObject {
  return omitUndefined({
    role: 'tool',
    tool_name: result.name ?? names.get(result.id),
    tool_call_id: result.id,
    content: result.failed ? `Error: ${textOf(result.parts)}` : textOf(result.parts),
    images: imagesOf(result.parts),
  });
}

/** Results come first, directly after the calls that they answer. */
export function encodeTurn({ role, parts }: Turn, names: ReadonlyMap<string, string>): readonly JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const thinking = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('');
  const [content, images] = [textOf(parts), imagesOf(parts)];
  const message = omitUndefined({
    role,
    content,
    images,
    thinking: thinking === '' ? undefined : thinking,
    tool_calls: calls.length === 0 ? undefined : calls.map(encodeCall),
  });
  const isEmpty = content === '' && images === undefined && calls.length === 0;
  return [...results.map((result) => encodeResult(result, names)), ...(isEmpty ? [] : [message])];
}

/** Names what a message cannot hold. */
export function losePart(part: Part, place: string, lose: Lose): void {
  if (part.type === 'opaque') lose(place, 'dropped', `a part that exists only on ${part.wire}`);
  if (part.type === 'media' && !('base64' in part.media)) lose(place, 'dropped', 'the server reads no addresses');
  if (part.type === 'media' && (part.name ?? part.detail) !== undefined)
    lose(place, 'dropped', 'an image has neither a name nor a level of detail');
  if (part.cache?.ttl !== undefined) lose(place, 'dropped', 'the server caches prompts by itself');
  if ('proof' in part && part.proof?.value !== undefined) lose(place, 'dropped', 'thoughts carry no proof');
  if (part.type === 'text' && part.citations !== undefined) lose(place, 'dropped', 'a text has no citations');
  if (part.type !== 'tool-result') return;
  if (part.failed) lose(place, 'approximated', "tool messages have no flag for failure; the text begins with 'Error:'");
  for (const inner of part.parts) losePart(inner, place, lose);
}
