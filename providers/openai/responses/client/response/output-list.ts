import type { GenerateEvent, JsonObject } from '../../../../../core/index.ts';

/** Sends one event of the stream; a plain answer is made of the same events, and nobody sees them. */
export type Emit = (type: string, members: JsonObject) => void;

/** An item's name and place, as every event about it repeats them. */
export interface Place {
  readonly item_id: string;
  readonly output_index: number;
}
export type Item = JsonObject & { readonly id: string; readonly type: string };

/** `output` as it grows: places are dense from 0, in the order in which items begin. */
export interface OutputList {
  readonly emit: Emit;
  /** Announces an item that is still empty. */
  add(item: Item): Place;
  /** The item as it is at last. Clients read what they act on from here alone. */
  done(place: Place, item: Item): void;
  /** The items that are done. */
  readonly items: readonly Item[];
}

export function createOutputList(emit: Emit): OutputList {
  const items: Item[] = [];
  let next = 0;
  return {
    emit,
    items,
    add: (item) => {
      const place: Place = { item_id: item.id, output_index: next++ };
      emit('response.output_item.added', { output_index: place.output_index, item });
      return place;
    },
    done: ({ output_index }, item) => {
      items.push(item);
      emit('response.output_item.done', { output_index, item });
    },
  };
}

export type ItemStatus = 'completed' | 'incomplete';

/** An item that is being written. */
export interface OpenItem {
  close(status: ItemStatus): void;
  /** What a failed answer shows of it: nothing of a call, so that nobody runs half of one. */
  soFar(): Item | undefined;
}
/** A part that is being written. */
export interface OpenPart {
  delta(text: string): void;
  end(end: PartEnd): void;
}
export type PartEnd = Extract<GenerateEvent, { type: 'part-end' }>;
