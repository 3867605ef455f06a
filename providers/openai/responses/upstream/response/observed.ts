import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  isObject,
  type ObservedSoFar,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { weighText } from '../../../../../core/api/internal.ts';
import { readReasoningText } from '../../reasoning-text.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { readResponseFinish } from '../../finish.ts';
import type { Slot } from './item-readers.ts';
import { isCall, listContent, readCallInput, readContentText, slotKindOf } from './item-content.ts';
import type { TextEvent } from './stream.ts';

/** More than any stream has held. What comes after it is missing from the response of a failure, and nowhere else. */
const MOST_KEPT = 16 * 1_048_576;

interface SlotText {
  readonly kind: Slot['kind'];
  text: string;
}
type Writers = Readonly<Partial<Record<Slot['kind'], (text: string) => JsonObject>>>;
const contents: Writers = {
  text: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
  refusal: (refusal) => ({ type: 'refusal', refusal }),
};
const summaries: Writers = { summary: (text) => ({ type: 'summary_text', text }) };
const thoughts: Writers = { reasoning: (text) => ({ type: 'reasoning_text', text }) };

const write = (texts: readonly SlotText[], writers: Writers): readonly JsonObject[] =>
  texts.flatMap(({ kind, text }): readonly JsonObject[] => {
    const writer = writers[kind];
    return writer === undefined ? [] : [writer(text)];
  });

const composeReasoning = (item: JsonObject, texts: readonly SlotText[]): JsonObject => {
  const content = write(texts, thoughts);
  return { ...item, summary: write(texts, summaries), ...(content.length === 0 ? {} : { content }) };
};

/** An item that was cut short. Of a call nothing is kept, so that no client runs half of one. */
const composeIncomplete = (item: JsonObject, texts: readonly SlotText[]): readonly JsonObject[] => {
  if (texts.length === 0) return [];
  if (item['type'] === 'message') return [{ ...item, status: 'incomplete', content: write(texts, contents) }];
  return item['type'] === 'reasoning' ? [composeReasoning(item, texts)] : [];
};

/** The output that a stream has held so far, for the response that it fails with. */
export class PartialOutput {
  readonly finished: JsonObject[] = [];
  /** The texts of the open item. */
  readonly #texts = new Map<string, SlotText>();
  #open: JsonObject | undefined;
  #kept = 0;

  begin(item: JsonObject): void {
    this.#open = item;
    this.#texts.clear();
  }

  add({ kind, index }: Slot, text: string, whole: TextEvent['whole']): void {
    this.#kept += whole ? 0 : text.length;
    if (this.#kept > MOST_KEPT) return;
    const key = `${kind} ${index}`;
    const known = this.#texts.get(key);
    if (known !== undefined) {
      known.text = whole ? text : known.text + text;
      return;
    }
    this.#kept += BUFFERED_ENTRY_COST;
    this.#texts.set(key, { kind, text });
  }

  /** @param chars the length of the item's JSON */
  finish(item: JsonObject, chars: number): void {
    this.#kept += chars;
    if (this.#kept <= MOST_KEPT) this.finished.push(item);
    this.#open = undefined;
  }

  /** The finished items and the texts of the open one. */
  compose(): readonly JsonObject[] {
    if (this.#open === undefined) return this.finished;
    return [...this.finished, ...composeIncomplete(this.#open, [...this.#texts.values()])];
  }
}

const isRefusal = (item: JsonObject): boolean =>
  item['type'] === 'message' && listContent(item['content']).some((content) => slotKindOf(content) === 'refusal');

const weighItem = (item: JsonObject): number => {
  if (item['type'] === 'message')
    return listContent(item['content']).reduce((sum, content) => sum + weighText(readContentText(content)), 0);
  if (item['type'] === 'reasoning') return weighText(readReasoningText(item));
  return isCall(item) ? weighText(readText(item['name'])) + weighText(readCallInput(item)) : 0;
};

/**
 * Usage and model, which any response object can have.
 * @param streamed the finished items of the stream so far
 */
export function observeHead(seen: ObservedSoFar, response: JsonObject, streamed?: readonly JsonObject[]): void {
  const searches = isObject(response['usage']) ? countSearches(response, streamed) : 0;
  const usage = readUsage(response, searches);
  if (usage !== undefined) seen.usage = usage;
  const model = readText(response['model']);
  if (seen.model === undefined && model !== '') seen.model = model;
}

/** Some proxies leave the output empty; then the streamed items count. */
const itemsOf = ({ output }: Readonly<JsonObject>, streamed: readonly JsonObject[]): readonly JsonObject[] => {
  const items = readObjects(output);
  return items.length > 0 ? items : streamed;
};

/** The finish and the output of a finished response. */
export function observeEnd(seen: ObservedSoFar, response: Readonly<JsonObject>, streamed: readonly JsonObject[]): void {
  const items = itemsOf(response, streamed);
  seen.finish = readResponseFinish(response, { calls: items.some(isCall), refusal: items.some(isRefusal) });
  if (seen.outputChars === 0) seen.outputChars = items.reduce((sum, item) => sum + weighItem(item), 0);
}

/**
 * What later requests can refer to: the response, its items, and the containers of its code. Without `store` a response
 * is kept too.
 */
export function observeStored(seen: ObservedSoFar, response: JsonObject, streamed: readonly JsonObject[]): void {
  if (response['store'] === false) return;
  const ids = [
    response['id'],
    ...itemsOf(response, streamed).flatMap(({ id, container_id: container }) => [id, container]),
  ];
  const stored = [...new Set(ids.map(readText))].filter((id) => id !== '');
  if (stored.length > 0) seen.stored = stored;
}
