import type { Citation, JsonObject } from '../../../../../core/api/index.ts';
import { readAnnotation, readAnnotations } from '../../annotations.ts';
import { WIRE } from '../../shape.ts';
import type { ItemContext, ItemReader, Slot } from './item-reader.ts';
import { listContent, readContentText, slotKindOf } from './message.ts';
import { RepeatedPart } from './repeated-part.ts';

interface OpenContent {
  readonly key: string;
  readonly text: RepeatedPart;
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
  refused = false;

  constructor(context: ItemContext) {
    this.#context = context;
  }

  write(slot: Slot, text: string): void {
    if (text !== '') this.#openContent(slot).text.write(text);
  }

  complete(slot: Slot, whole: string): void {
    if (whole !== '' && !this.#isOver(slot)) this.#openContent(slot).text.complete(whole);
  }

  annotate(slot: Slot, annotation: JsonObject): void {
    if (this.#open?.key === keyOf(slot)) this.#open.citations.push(readAnnotation(annotation));
  }

  end({ content }: Readonly<JsonObject>): void {
    const contents = listContent(content);
    const renumbered = this.#listBeyond(contents.length);
    for (const [index, entry] of contents.entries()) {
      const kind = slotKindOf(entry);
      const own = kind && { kind, index };
      const slot = own && !this.#started.has(keyOf(own)) ? (renumbered.get(own.kind)?.shift() ?? own) : own;
      this.#endContent(entry, slot);
    }
    this.#close();
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

  #endContent(content: JsonObject, slot: Slot | undefined): void {
    if (slot === undefined) {
      this.#close();
      this.#context.answer.opaque({ type: 'opaque', wire: WIRE, value: content });
      return;
    }
    this.complete(slot, readContentText(content));
    if (this.#open?.key === keyOf(slot)) this.#close(readAnnotations(content['annotations']));
  }

  #openContent(slot: Slot): OpenContent {
    const key = keyOf(slot);
    if (this.#open?.key === key) return this.#open;
    this.#close();
    this.#started.set(key, slot);
    this.refused ||= slot.kind === 'refusal';
    const part = this.#context.answer.open(slot.kind === 'refusal' ? 'refusal' : 'text');
    this.#open = { key, text: new RepeatedPart(part), citations: [] };
    return this.#open;
  }

  #isOver(slot: Slot): boolean {
    const key = keyOf(slot);
    return this.#started.has(key) && this.#open?.key !== key;
  }

  /** @param citations of the finished content; without any, those that events brought count */
  #close(citations: readonly Citation[] = []): void {
    const open = this.#open;
    if (open === undefined) return;
    const { part } = open.text;
    part.cite(citations.length > 0 ? citations : open.citations);
    part.end();
    this.#open = undefined;
  }
}
