import type { Citation, JsonObject, TokenLogprob } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  type PartWriter,
  type ReadContext,
  readLogprobs,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId } from '../../../chat-completions/upstream/response/message.ts';
import { readAnnotation, readAnnotations } from '../../annotations.ts';
import { BREAK, readReasoningText } from '../../reasoning-text.ts';
import { WIRE } from '../../shape.ts';
import { listContent, readCallHead, readCallInput, readContentText, slotKindOf } from './item-content.ts';

/** The text of an item that an event belongs to. */
export interface Slot {
  readonly kind: 'text' | 'refusal' | 'summary' | 'reasoning' | 'input';
  /** `content_index` or `summary_index`. */
  readonly index: number;
}

/** Shared by the item readers of one response. */
export interface ItemContext extends ReadContext {
  readonly answer: ChoiceWriter;
}

/** Reads one output item of a stream. */
export interface ItemReader {
  /** A `delta` event. */
  write(slot: Slot, text: string, tokens: readonly TokenLogprob[]): void;
  /** A `done` event, which repeats the whole text. */
  complete(slot: Slot, whole: string, tokens: readonly TokenLogprob[]): void;
  annotate?(slot: Slot, annotation: JsonObject): void;
  /** The finished item, which can hold what no delta brought. */
  end(item: Readonly<JsonObject>): void;
  /** The item is a message with a refusal. */
  readonly refused?: boolean;
}

/** A part whose whole text `done` events and finished items repeat: what no delta has brought is taken from them. */
class RepeatedPart {
  readonly part: PartWriter;
  #written = '';
  /** Tokens so far. */
  #count = 0;

  constructor(part: PartWriter) {
    this.part = part;
  }

  write(text: string, tokens: readonly TokenLogprob[] = []): void {
    this.#count += tokens.length;
    this.part.addLogprobs(tokens);
    this.#written += text;
    this.part.write(text);
  }

  complete(whole: string, tokens: readonly TokenLogprob[] = []): void {
    this.write(whole.startsWith(this.#written) ? whole.slice(this.#written.length) : '', tokens.slice(this.#count));
  }
}

/** Reads a call. Its part starts when its name is known. */
export class CallReader implements ItemReader {
  readonly #input: RepeatedPart;

  constructor(context: ItemContext, added: Readonly<JsonObject>) {
    const { id, name, kind } = readCallHead(added);
    const { answer } = context;
    this.#input = new RepeatedPart(answer.call({ id: id || deriveCallId(context, 0, answer.calls), name, kind }));
  }

  write(_slot: Slot, text: string): void {
    this.#input.write(text);
  }

  complete(_slot: Slot, whole: string): void {
    this.#input.complete(whole);
  }

  end(item: Readonly<JsonObject>): void {
    const { id, name } = readCallHead(item);
    this.#input.complete(readCallInput(item));
    this.#input.part.identify(id, name);
    this.#input.part.end();
  }
}

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

  write(slot: Slot, text: string, tokens: readonly TokenLogprob[]): void {
    if (text !== '' || this.#open?.key === keyOf(slot)) this.#openContent(slot).text.write(text, tokens);
  }

  complete(slot: Slot, whole: string, tokens: readonly TokenLogprob[]): void {
    if (whole !== '' && !this.#isOver(slot)) this.#openContent(slot).text.complete(whole, tokens);
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
    this.complete(slot, readContentText(content), readLogprobs(content['logprobs']));
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
