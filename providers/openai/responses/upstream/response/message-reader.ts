import type { Citation, JsonObject } from '../../../../../core/api/index.ts';
import type { EmitEvent } from '../../../../../core/api/codec.ts';
import { readAnnotation, readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';
import type { ItemContext, ItemReader, Slot } from './item-reader.ts';
import { listContent, readContentText, slotKindOf } from './message.ts';
import { PartWriter, writeWholePart } from './part-writer.ts';

interface OpenContent {
  readonly key: string;
  readonly part: PartWriter;
  readonly citations: Citation[];
}

const keyOf = ({ kind, index }: Slot): string => `${kind} ${index}`;

/**
 * Reads a message: one part for each content, which starts with its first text and ends when the next content starts.
 */
export class MessageReader implements ItemReader {
  readonly #context: ItemContext;
  /** The contents that have started, by key. */
  readonly #started = new Map<string, Slot>();
  #open: OpenContent | undefined;
  #refused = false;

  constructor(context: ItemContext) {
    this.#context = context;
  }

  get holds(): 'refusal' | undefined {
    return this.#refused ? 'refusal' : undefined;
  }

  write(slot: Slot, text: string, emit: EmitEvent): void {
    if (text !== '') this.#openContent(slot, emit).part.write(text, emit);
  }

  complete(slot: Slot, whole: string, emit: EmitEvent): void {
    if (whole !== '' && !this.#isOver(slot)) this.#openContent(slot, emit).part.complete(whole, emit);
  }

  annotate(slot: Slot, annotation: JsonObject): void {
    if (this.#open?.key === keyOf(slot)) this.#open.citations.push(readAnnotation(annotation));
  }

  end({ content }: Readonly<JsonObject>, emit: EmitEvent): void {
    const contents = listContent(content);
    const renumbered = this.#listBeyond(contents.length);
    for (const [index, entry] of contents.entries()) {
      const kind = slotKindOf(entry);
      const own = kind && { kind, index };
      const slot = own && !this.#started.has(keyOf(own)) ? (renumbered.get(own.kind)?.shift() ?? own) : own;
      this.#endContent(entry, slot, emit);
    }
    this.#close(emit);
  }

  /**
   * What was streamed under an index that the finished item does not have. Bedrock numbers the text of a stream 1 that
   * the finished item has at 0: contents that were not streamed under their own index are these, in order.
   */
  #listBeyond(count: number): ReadonlyMap<Slot['kind'], Slot[]> {
    return Map.groupBy(
      this.#started.values().filter(({ index }) => index >= count),
      ({ kind }) => kind,
    );
  }

  #endContent(content: JsonObject, slot: Slot | undefined, emit: EmitEvent): void {
    if (slot === undefined) {
      this.#close(emit);
      const value = { type: 'opaque', wire: WIRE, value: content };
      writeWholePart(this.#context.nextPart(), { kind: 'opaque', value }, emit);
      return;
    }
    this.complete(slot, readContentText(content), emit);
    if (this.#open?.key === keyOf(slot)) this.#close(emit, readAnnotations(content['annotations']));
  }

  #openContent(slot: Slot, emit: EmitEvent): OpenContent {
    const key = keyOf(slot);
    if (this.#open?.key === key) return this.#open;
    this.#close(emit);
    this.#started.set(key, slot);
    this.#refused ||= slot.kind === 'refusal';
    const kind = slot.kind === 'refusal' ? 'refusal' : 'text';
    this.#open = { key, part: new PartWriter(this.#context.nextPart(), { kind }, emit), citations: [] };
    return this.#open;
  }

  #isOver(slot: Slot): boolean {
    const key = keyOf(slot);
    return this.#started.has(key) && this.#open?.key !== key;
  }

  /** @param citations of the finished content; without any, those that events brought count */
  #close(emit: EmitEvent, citations: readonly Citation[] = []): void {
    const open = this.#open;
    if (open === undefined) return;
    open.part.end(emit, { citations: citations.length > 0 ? citations : open.citations });
    this.#open = undefined;
  }
}
