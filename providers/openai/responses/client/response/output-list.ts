import type { JsonObject } from '../../../../../core/api/index.ts';

/** Sends one event of the stream. A plain response is composed from the same events, which are then discarded. */
export type Emit = (type: string, members: JsonObject) => void;

/** The id and the position of an item, which every event about it repeats. */
export interface ItemPosition {
  readonly item_id: string;
  readonly output_index: number;
}
export type Item = JsonObject & { readonly id: string; readonly type: string };

/** `output` as it grows. Positions are dense from 0, in the order in which items start. */
export class OutputList {
  readonly emit: Emit;
  /** The finished items. */
  readonly items: Item[] = [];
  #next = 0;

  constructor(emit: Emit) {
    this.emit = emit;
  }

  /** Announces an item that is still empty. */
  add(item: Item): ItemPosition {
    const position: ItemPosition = { item_id: item.id, output_index: this.#next++ };
    this.emit('response.output_item.added', { output_index: position.output_index, item });
    return position;
  }

  /** Sends the finished item. Clients act on this event alone. */
  finish({ output_index }: ItemPosition, item: Item): void {
    this.items.push(item);
    this.emit('response.output_item.done', { output_index, item });
  }
}

export type ItemStatus = 'completed' | 'incomplete';

/** An item that is being written. */
export interface OpenItem {
  /** Absent: the end of its part ends the item. */
  close?(status: ItemStatus): void;
  /** What a failed response shows of the item. Of a call it shows nothing, so that no client runs half of one. */
  partial?(): Item | undefined;
}

/** Makes an id of this response, e.g. `msg_…`. */
export type NewId = (prefix: string) => string;
