import type { JsonObject } from '../../../../../core/api/index.ts';
import { BUFFERED_ENTRY_COST } from '../../../../../core/api/codec.ts';
import type { Slot } from './item-reader.ts';
import type { TextEvent } from './text-events.ts';

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
    this.#texts.clear();
  }

  /** The finished items and the texts of the open one. */
  compose(): readonly JsonObject[] {
    if (this.#open === undefined) return this.finished;
    return [...this.finished, ...composeIncomplete(this.#open, [...this.#texts.values()])];
  }
}
