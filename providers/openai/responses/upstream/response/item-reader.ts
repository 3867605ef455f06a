import type { JsonObject } from '../../../../../core/api/index.ts';
import type { ChoiceWriter, ReadContext } from '../../../../../core/api/codec.ts';

/** The text of an item that an event belongs to. */
export interface Slot {
  readonly kind: 'text' | 'refusal' | 'summary' | 'reasoning' | 'input';
  /** `content_index` or `summary_index`. */
  readonly index: number;
}

/** Shared by the item readers of one response. */
export interface ItemContext extends ReadContext {
  readonly answer: ChoiceWriter;
}

/** Reads one output item of a stream. */
export interface ItemReader {
  /** A `delta` event. */
  write(slot: Slot, text: string): void;
  /** A `done` event, which repeats the whole text. */
  complete(slot: Slot, whole: string): void;
  annotate?(slot: Slot, annotation: JsonObject): void;
  /** The finished item, which can hold what no delta brought. */
  end(item: Readonly<JsonObject>): void;
  /** The item is a message with a refusal. */
  readonly refused?: boolean;
}
