import type { EmitEvent, JsonObject, ReadContext } from '../../../../../core/index.ts';

/** Which text of an item a piece belongs to. */
export interface Slot {
  readonly kind: 'text' | 'refusal' | 'summary' | 'reasoning' | 'input';
  /** `content_index` or `summary_index`. */
  readonly index: number;
}

/** What is shared by the items of one answer. */
export interface AnswerContext extends ReadContext {
  /** The handle of the next part. */
  readonly allocate: () => number;
  /** How many calls came before: ids of calls that have none are made of it. */
  readonly countCall: () => number;
}

/** Reads one output item of a stream. */
export interface ItemReader {
  write(slot: Slot, text: string, emit: EmitEvent): void;
  /** A `done` event, which repeats the whole text. */
  complete(slot: Slot, whole: string, emit: EmitEvent): void;
  annotate?(slot: Slot, annotation: JsonObject): void;
  /** The finished item: it may say what no delta said. */
  end(item: Readonly<JsonObject>, emit: EmitEvent): void;
  /** What the item turned out to hold, for the finish reason. */
  readonly holds: 'call' | 'refusal' | undefined;
}
