import type { JsonObject } from '../../../../../core/api/index.ts';
import { readText } from '../../../../../core/api/codec.ts';
import { BREAK, readReasoningText } from '../../reasoning-text.ts';
import type { ItemContext, ItemReader, Slot } from './item-reader.ts';
import { RepeatedPart } from './repeated-part.ts';

/**
 * Reads a reasoning item as one part, with a break between its summaries. Where a vendor streams both the reasoning and
 * its summary, the kind that comes first is read.
 */
export class ReasoningReader implements ItemReader {
  readonly #context: ItemContext;
  #part: RepeatedPart | undefined;
  /** The slot that was written to last. */
  #current: Slot | undefined;
  /** The text of that slot. */
  #text = '';

  constructor(context: ItemContext) {
    this.#context = context;
  }

  write(slot: Slot, text: string): void {
    if (text === '' || !this.#follows(slot)) return;
    const moved = this.#current !== undefined && slot.index !== this.#current.index;
    if (moved) this.#text = '';
    this.#part ??= this.#start();
    this.#part.write(moved ? BREAK + text : text);
    this.#current = slot;
    this.#text += text;
  }

  complete(slot: Slot, whole: string): void {
    const known = this.#current?.index === slot.index ? this.#text : '';
    if (whole.startsWith(known)) this.write(slot, whole.slice(known.length));
  }

  end(item: Readonly<JsonObject>): void {
    const blob = readText(item['encrypted_content']);
    const text = readReasoningText(item);
    if (this.#part === undefined && text === '' && blob === '') return;
    this.#part ??= this.#start();
    this.#part.complete(text);
    const { part } = this.#part;
    if (blob !== '') part.proof = { origin: this.#context.origin, value: blob };
    part.end();
  }

  /** Whether the slot is the current one or a later one of the same kind. */
  #follows({ kind, index }: Slot): boolean {
    const current = this.#current;
    return current === undefined || (kind === current.kind && index >= current.index);
  }

  #start(): RepeatedPart {
    return new RepeatedPart(this.#context.answer.open('reasoning'));
  }
}
