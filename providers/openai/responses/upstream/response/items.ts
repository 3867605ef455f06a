import {
  type EmitEvent,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  lookUp,
  type ReadContext,
  readText,
} from '../../../../../core/index.ts';

import { createCallReader } from './call-reader.ts';
import type { AnswerContext, ItemReader, Slot } from './item-reader.ts';
import { createLossReporter } from './item-losses.ts';
import { createMessageReader } from './message-reader.ts';
import { createOpaqueReader } from './opaque-reader.ts';
import { createReasoningReader } from './reasoning-reader.ts';

type CreateReader = (context: AnswerContext, item: Readonly<JsonObject>, emit: EmitEvent) => ItemReader;
const readers: Readonly<Record<string, CreateReader>> = {
  message: createMessageReader,
  reasoning: createReasoningReader,
  function_call: createCallReader,
  custom_tool_call: createCallReader,
};
/** The types of item that have pieces of a kind; the first is what an item is taken for that nobody announced. */
const typesOf: Readonly<Record<Slot['kind'], readonly [string, ...string[]]>> = {
  text: ['message'],
  refusal: ['message'],
  summary: ['reasoning'],
  reasoning: ['reasoning'],
  input: ['function_call', 'custom_tool_call'],
};

interface OpenItem {
  readonly reader: ItemReader;
  readonly id: string;
  /** In `output`. */
  readonly place: number | undefined;
  /** As last seen. */
  readonly item: Readonly<JsonObject>;
  ended: boolean;
}

/** The output items of one answer. An event says which one it means by `output_index`, else by `item_id`; without either it is the last one. */
export interface Items {
  add(event: JsonObject, item: JsonObject, emit: EmitEvent): void;
  /** The reader of the item that an event goes with, made where nobody announced the item. */
  find(event: JsonObject, kind: Slot['kind'], emit: EmitEvent): ItemReader | undefined;
  finish(event: JsonObject, item: JsonObject, emit: EmitEvent): void;
  /** Ends what is still open, with what the final answer says of it; an answer of which nothing was streamed is read as a whole. */
  close(output: readonly unknown[], emit: EmitEvent): void;
  readonly held: { readonly calls: boolean; readonly refusal: boolean };
}

const isSameItem = (
  a: { readonly id: string; readonly item: Readonly<JsonObject> },
  id: string,
  item: Readonly<JsonObject>,
): boolean => a.id === '' || id === '' || a.id === id || a.item['type'] === item['type'];

/** An item as the final answer has it: under its name, else in its place. */
const selectFinal = (
  { id, place, item }: OpenItem,
  named: JsonObject | undefined,
  output: readonly unknown[],
): Readonly<JsonObject> => {
  const found = (id === '' ? undefined : named) ?? (place === undefined ? undefined : output[place]);
  return isObject(found) && found['type'] === item['type'] ? found : item;
};

/** @param keep counts what is kept of the answer */
export function createItems(context: ReadContext, keep: (chars: number) => void): Items {
  const entries: OpenItem[] = [];
  const byIndex = new Map<number, OpenItem>();
  const byId = new Map<string, OpenItem>();
  const name = createLossReporter(context.lose);
  let parts = 0;
  let calls = 0;
  const shared: AnswerContext = {
    ...context,
    allocate: () => parts++,
    countCall: () => calls++,
  };

  const lookFor = ({ output_index: index, item_id: id }: JsonObject, itemId = readText(id)): OpenItem | undefined =>
    (typeof index === 'number' ? byIndex.get(index) : undefined) ??
    byId.get(itemId) ??
    (index === undefined && itemId === '' ? entries.at(-1) : undefined);
  const create = ({ output_index: index }: JsonObject, item: JsonObject, emit: EmitEvent): OpenItem => {
    keep(KEPT_ENTRY);
    const reader = (lookUp(readers, readText(item['type'])) ?? createOpaqueReader)(shared, item, emit);
    const place = typeof index === 'number' ? index : undefined;
    const entry = { reader, id: readText(item['id']), place, item, ended: false };
    entries.push(entry);
    if (place !== undefined) byIndex.set(place, entry);
    if (entry.id !== '') byId.set(entry.id, entry);
    return entry;
  };
  const end = (entry: OpenItem, item: Readonly<JsonObject>, emit: EmitEvent) => {
    if (entry.ended) return;
    entry.ended = true;
    name(item);
    entry.reader.end(item, emit);
  };

  return {
    add: (event, item, emit) => {
      const known = lookFor(event, readText(item['id']));
      // A server that numbers every item 0 means another one by another id, once the first is over.
      if (known === undefined || (known.ended && known.id !== readText(item['id']))) create(event, item, emit);
    },
    find: (event, kind, emit) => {
      const entry =
        lookFor(event) ??
        create(event, { type: typesOf[kind][0], id: readText(event['item_id']), name: readText(event['name']) }, emit);
      return entry.ended || !typesOf[kind].includes(readText(entry.item['type'])) ? undefined : entry.reader;
    },
    finish: (event, item, emit) => {
      const known = lookFor(event, readText(item['id']));
      const fits =
        known !== undefined &&
        !(known.ended && known.id !== readText(item['id'])) &&
        isSameItem(known, readText(item['id']), item);
      end(fits ? known : create(event, item, emit), item, emit);
    },
    close: (output, emit) => {
      const items = output.filter(isObject);
      if (entries.length === 0)
        items.forEach((item, index) => end(create({ output_index: index }, item, emit), item, emit));
      const finals = new Map(items.map((item) => [readText(item['id']), item]));
      for (const entry of entries) if (!entry.ended) end(entry, selectFinal(entry, finals.get(entry.id), output), emit);
    },
    get held() {
      return {
        calls: entries.some(({ reader }) => reader.holds === 'call'),
        refusal: entries.some(({ reader }) => reader.holds === 'refusal'),
      };
    },
  };
}
