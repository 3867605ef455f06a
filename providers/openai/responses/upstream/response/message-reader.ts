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
  /** Keys of the contents that have started. */
  readonly #started = new Set<string>();
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
    for (const [index, entry] of listContent(content).entries()) this.#endContent(entry, index, emit);
    this.#close(emit);
  }

  #endContent(content: JsonObject, index: number, emit: EmitEvent): void {
    const kind = slotKindOf(content);
    if (kind === undefined) {
      this.#close(emit);
      const value = { type: 'opaque', wire: WIRE, value: content };
      writeWholePart(this.#context.nextPart(), { kind: 'opaque', value }, emit);
      return;
    }
    const slot = { kind, index };
    this.complete(slot, readContentText(content), emit);
    if (this.#open?.key === keyOf(slot)) this.#close(emit, readAnnotations(content['annotations']));
  }

  #openContent(slot: Slot, emit: EmitEvent): OpenContent {
    const key = keyOf(slot);
    if (this.#open?.key === key) return this.#open;
    this.#close(emit);
    this.#started.add(key);
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
