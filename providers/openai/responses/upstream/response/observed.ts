import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, type ObservedSoFar, readList, readText } from '../../../../../core/api/codec.ts';
import { weighText } from '../../../../../core/api/internal.ts';
import { readReasoningText } from '../../reasoning-text.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { readCallInput } from './calls.ts';
import { readResponseFinish } from './final-response.ts';
import { listContent, readContentText, readMessage, slotKindOf } from './message.ts';

const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call';
const isRefusal = (item: JsonObject): boolean =>
  item['type'] === 'message' && listContent(item['content']).some((content) => slotKindOf(content) === 'refusal');

const weighItem = (item: JsonObject): number => {
  if (item['type'] === 'message')
    return listContent(item['content']).reduce((sum, content) => sum + weighText(readContentText(content)), 0);
  if (item['type'] === 'reasoning') return weighText(readReasoningText(item));
  return isCall(item) ? weighText(readText(item['name'])) + weighText(readCallInput(item)) : 0;
};

/** Whether the item shows the client anything. */
export function showsSomething(item: JsonObject): boolean {
  if (item['type'] === 'message') return readMessage(item).length > 0;
  return item['type'] !== 'reasoning' || readReasoningText(item) !== '' || readText(item['encrypted_content']) !== '';
}

/** Whether a plain response has neither content nor a status. */
export const isEmpty = ({ output, status }: Readonly<JsonObject>): boolean =>
  readText(status) === '' && !readList(output).filter(isObject).some(showsSomething);

/**
 * Usage and model, which any response object can have.
 * @param streamed the finished items of the stream so far
 */
export function observeHead(
  seen: ObservedSoFar,
  response: Readonly<JsonObject>,
  streamed?: readonly JsonObject[],
): void {
  const searches = isObject(response['usage']) ? countSearches(response, streamed) : 0;
  const usage = readUsage(response, searches);
  if (usage !== undefined) seen.usage = usage;
  const model = readText(response['model']);
  if (seen.model === undefined && model !== '') seen.model = model;
}

/**
 * The finish and the output of a finished response. Some proxies leave its output empty; then the streamed items count.
 */
export function observeEnd(seen: ObservedSoFar, response: Readonly<JsonObject>, streamed: readonly JsonObject[]): void {
  const output = readList(response['output']).filter(isObject);
  const items = output.length > 0 ? output : streamed;
  seen.finish = readResponseFinish(response, { calls: items.some(isCall), refusal: items.some(isRefusal) });
  if (seen.outputChars === 0) seen.outputChars = items.reduce((sum, item) => sum + weighItem(item), 0);
}

/**
 * What later requests can refer to: the response, its items, and the containers of its code. Without `store` a response
 * is kept too.
 */
export function observeStored(
  seen: ObservedSoFar,
  response: Readonly<JsonObject>,
  streamed: readonly JsonObject[],
): void {
  if (response['store'] === false) return;
  const output = readList(response['output']).filter(isObject);
  const items = output.length > 0 ? output : streamed;
  const ids = [response['id'], ...items.flatMap(({ id, container_id: container }) => [id, container])];
  const stored = [...new Set(ids.map(readText))].filter((id) => id !== '');
  if (stored.length > 0) seen.stored = stored;
}
