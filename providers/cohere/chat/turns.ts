import type { JsonObject, MediaPart, Part, ToolCallPart, ToolResultPart, Turn } from '../../../core/api/index.ts';
import { omitUndefined, type Lose } from '../../../core/api/codec.ts';

const encodeCall = ({ id, name, input }: ToolCallPart): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: input === '' ? '{}' : input },
});

const isText = (part: Part): part is Part & { readonly text: string } =>
  part.type === 'text' || part.type === 'refusal';
const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (isText(part) ? [part.text] : [])).join('\n');

const urlOf = ({ media }: MediaPart): string | undefined => {
  if ('url' in media) return media.url;
  return 'base64' in media ? `data:${media.mediaType};base64,${media.base64}` : undefined;
};

const encodeImage = (part: MediaPart): readonly JsonObject[] => {
  const url = urlOf(part);
  return url === undefined ? [] : [{ type: 'image_url', image_url: omitUndefined({ url, detail: part.detail }) }];
};

const encodePart = (part: Part): readonly JsonObject[] => {
  if (isText(part)) return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  return part.type === 'media' ? encodeImage(part) : [];
};

/** A single text is written as a string. */
const encodeContent = (parts: readonly Part[]): string | readonly JsonObject[] => {
  const blocks = parts.flatMap(encodePart);
  const [first] = blocks;
  return blocks.length === 1 && first?.['type'] === 'text' ? (first['text'] as string) : blocks;
};

/** A text before calls is the plan of the model. */
function encodeAssistant(parts: readonly Part[]): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const thoughts = parts.flatMap((part) =>
    part.type === 'reasoning' && part.text !== '' ? [{ type: 'thinking', thinking: part.text }] : [],
  );
  const text = textOf(parts);
  const isPlan = calls.length > 0;
  const content = [...thoughts, ...(text === '' || isPlan ? [] : [{ type: 'text', text }])];
  return omitUndefined({
    role: 'assistant',
    content: content.length === 0 ? undefined : thoughts.length === 0 ? text : content,
    tool_plan: isPlan && text !== '' ? text : undefined,
    tool_calls: isPlan ? calls.map(encodeCall) : undefined,
  });
}

const encodeResult = ({ id, failed, parts }: ToolResultPart): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content: failed ? `Error: ${textOf(parts)}` : textOf(parts),
});

/** Results come first, directly after the calls that they answer. Their images follow, with the rest of the turn. */
function encodeUser(parts: readonly Part[]): readonly JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const images = results.flatMap((result) => result.parts.filter((part) => part.type === 'media'));
  const content = encodeContent([...images, ...parts]);
  return [...results.map(encodeResult), ...(content.length === 0 ? [] : [{ role: 'user', content }])];
}

export function encodeTurn({ role, parts }: Turn): readonly JsonObject[] {
  if (role === 'user') return encodeUser(parts);
  const message = role === 'system' ? { role, content: textOf(parts) } : encodeAssistant(parts);
  return message['content'] === '' || Object.keys(message).length === 1 ? [] : [message];
}

/** Names what a message cannot hold. */
export function losePart(part: Part, place: string, role: Turn['role'], lose: Lose): void {
  if (part.type === 'opaque') lose(place, 'dropped', `a part that exists only on ${part.wire}`);
  if (part.type === 'media' && 'fileId' in part.media) lose(place, 'dropped', 'the vendor has no files of others');
  if (part.type === 'media' && role !== 'user') lose(place, 'dropped', 'only messages of the user hold images');
  if (part.type === 'media' && part.name !== undefined) lose(`${place}.name`, 'dropped', 'an image has no name');
  if (part.cache?.ttl !== undefined) lose(`${place}.cache`, 'dropped', 'the vendor caches prompts by itself');
  if ('proof' in part && part.proof?.value !== undefined) lose(`${place}.proof`, 'dropped', 'thoughts carry no proof');
  if (part.type === 'text' && part.citations !== undefined)
    lose(`${place}.citations`, 'dropped', 'citations are of documents that only the vendor knows');
  if (part.type !== 'tool-result') return;
  if (part.name !== undefined) lose(`${place}.name`, 'dropped', 'a result has the id of its call only');
  if (part.failed) lose(place, 'approximated', "tool messages have no flag for failure; the text begins with 'Error:'");
  for (const inner of part.parts) {
    losePart(inner, place, role, lose);
    if (inner.type === 'media') lose(place, 'approximated', 'tool messages hold no images; they follow as the user');
  }
}
