import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  isObject,
  BUFFERED_ENTRY_COST,
  lookUp,
  type ReadContext,
  readText,
} from '../../../../../core/api/codec.ts';
import type { Held } from '../../../chat-completions/finish.ts';
import { readOpaqueItem } from '../../web-search.ts';
import {
  CallReader,
  type ItemContext,
  type ItemReader,
  MessageReader,
  ReasoningReader,
  type Slot,
} from './item-readers.ts';
import { createLossReporter } from './item-content.ts';

type CreateReader = (context: ItemContext, item: Readonly<JsonObject>) => ItemReader;

const createCallReader: CreateReader = (context, item) => new CallReader(context, item);

/**
 * An item that only this wire defines, such as a search that ran at the vendor: it is written whole when it is
 * finished.
 */
const createOpaqueReader: CreateReader = ({ answer }) => ({
  write: () => {},
  complete: () => {},
  end: (item) => answer.opaque(readOpaqueItem(item)),
});

const readers: Readonly<Record<string, CreateReader>> = {
  message: (context) => new MessageReader(context),
  reasoning: (context) => new ReasoningReader(context),
  function_call: createCallReader,
  custom_tool_call: createCallReader,
};
/** The item types that have text of a kind. The first is assumed for an item that was never announced. */
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
  /** The position in `output`. */
  readonly index: number | undefined;
  /** As last received. */
  readonly item: Readonly<JsonObject>;
  ended: boolean;
}

const isSameItem = (open: OpenItem, id: string, { type }: Readonly<JsonObject>): boolean =>
  open.id === '' || id === '' || open.id === id || open.item['type'] === type;

/** The item as the final response has it: found by its id, else by its position. */
const selectFinal = (
  { id, index, item }: OpenItem,
  byId: JsonObject | undefined,
  output: readonly unknown[],
): Readonly<JsonObject> => {
  const found = (id === '' ? undefined : byId) ?? (index === undefined ? undefined : output[index]);
  return isObject(found) && found['type'] === item['type'] ? found : item;
};

/**
 * The output items of one response. An event refers to its item by `output_index`, else by `item_id`; without either it
 * belongs to the last item.
 */
export class Items {
  readonly #keep: (chars: number) => void;
  readonly #context: ItemContext;
  readonly #reportLosses: (item: Readonly<JsonObject>) => void;
  readonly #items: OpenItem[] = [];
  readonly #byIndex = new Map<number, OpenItem>();
  readonly #byId = new Map<string, OpenItem>();
  /** Of the items that have ended, those of the vendor's search. */
  readonly searches: JsonObject[] = [];

  /** @param keep counts what is kept of the response */
  constructor(context: ReadContext, answer: ChoiceWriter, keep: (chars: number) => void) {
    this.#keep = keep;
    this.#reportLosses = createLossReporter(context.lose);
    this.#context = { ...context, answer };
  }

  /** What the items hold, for the finish reason. */
  get held(): Held {
    return {
      calls: this.#context.answer.calls > 0,
      refusal: this.#items.some(({ reader }) => reader.refused === true),
    };
  }

  add(event: JsonObject, item: JsonObject): void {
    const id = readText(item['id']);
    const known = this.#lookFor(event, id);
    // Some servers number every item 0: another id is another item once the first has ended.
    if (known === undefined || (known.ended && known.id !== id)) this.#create(event, item);
  }

  /** The reader of the item that an event belongs to. It is created if the item was never announced. */
  find(event: JsonObject, kind: Slot['kind']): ItemReader | undefined {
    const id = readText(event['item_id']);
    const { reader, item, ended } =
      this.#lookFor(event, id) ?? this.#create(event, { type: typesOf[kind][0], id, name: readText(event['name']) });
    return ended || !typesOf[kind].includes(readText(item['type'])) ? undefined : reader;
  }

  finish(event: JsonObject, item: JsonObject): void {
    const id = readText(item['id']);
    const known = this.#lookFor(event, id);
    const fits = known !== undefined && !(known.ended && known.id !== id) && isSameItem(known, id, item);
    this.#end(fits ? known : this.#create(event, item), item);
  }

  /** Ends the items that are still open. A response of which nothing was streamed is read from `output`. */
  close(output: readonly unknown[]): void {
    const items = output.filter(isObject);
    if (this.#items.length === 0)
      for (const [index, item] of items.entries()) this.#end(this.#create({ output_index: index }, item), item);
    const byId = new Map(items.map((item) => [readText(item['id']), item]));
    for (const open of this.#items) if (!open.ended) this.#end(open, selectFinal(open, byId.get(open.id), output));
  }

  #lookFor({ output_index: index }: JsonObject, id: string): OpenItem | undefined {
    return (
      (typeof index === 'number' ? this.#byIndex.get(index) : undefined) ??
      this.#byId.get(id) ??
      (index === undefined && id === '' ? this.#items.at(-1) : undefined)
    );
  }

  #create({ output_index: place }: JsonObject, item: JsonObject): OpenItem {
    this.#keep(BUFFERED_ENTRY_COST);
    const createReader = lookUp(readers, readText(item['type'])) ?? createOpaqueReader;
    const reader = createReader(this.#context, item);
    const index = typeof place === 'number' ? place : undefined;
    const open = { reader, id: readText(item['id']), index, item, ended: false };
    this.#items.push(open);
    if (index !== undefined) this.#byIndex.set(index, open);
    if (open.id !== '') this.#byId.set(open.id, open);
    return open;
  }

  #end(open: OpenItem, item: Readonly<JsonObject>): void {
    if (open.ended) return;
    open.ended = true;
    this.#reportLosses(item);
    if (item['type'] === 'web_search_call') this.searches.push(item);
    open.reader.end(item);
  }
}
