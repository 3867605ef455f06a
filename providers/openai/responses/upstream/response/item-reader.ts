import type { JsonObject } from '../../../../../core/api/index.ts';
import type { EmitEvent, ReadContext } from '../../../../../core/api/codec.ts';

/** The text of an item that an event belongs to. */
export interface Slot {
  readonly kind: 'text' | 'refusal' | 'summary' | 'reasoning' | 'input';
  /** `content_index` or `summary_index`. */
  readonly index: number;
}

/** Shared by the item readers of one response. */
export interface ItemContext extends ReadContext {
  /** The handle of the next part. */
  readonly nextPart: () => number;
  /** The position of the next call: the ids of calls without one are derived from it. */
  readonly nextCall: () => number;
}

/** Reads one output item of a stream. */
export interface ItemReader {
  /** A `delta` event. */
  write(slot: Slot, text: string, emit: EmitEvent): void;
  /** A `done` event, which repeats the whole text. */
  complete(slot: Slot, whole: string, emit: EmitEvent): void;
  annotate?(slot: Slot, annotation: JsonObject): void;
  /** The finished item, which can hold what no delta brought. */
  end(item: Readonly<JsonObject>, emit: EmitEvent): void;
  /** What the item turned out to hold, for the finish reason. */
  readonly holds: 'call' | 'refusal' | undefined;
}
