import type { JsonObject } from '../../../../../core/api/index.ts';
import type { Proof } from '../../../../../core/api/codec.ts';
import { WholeCharacters } from '../../../whole-characters.ts';
import type { Item, ItemStatus, NewId, OpenItem, OutputList, Place } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';

export type ContentKind = 'text' | 'refusal';

/** How a kind of content is written. */
interface ContentType {
  readonly delta: string;
  readonly done: string;
  /** What its deltas have in addition to the text: the SDK expects the list. */
  readonly beside: JsonObject;
  text(text: string): JsonObject;
  part(text: string, annotations: readonly JsonObject[]): JsonObject;
}
const contentTypes: Readonly<Record<ContentKind, ContentType>> = {
  text: {
    delta: 'response.output_text.delta',
    done: 'response.output_text.done',
    beside: { logprobs: [] },
    text: (text) => ({ text }),
    part: (text, annotations) => ({ type: 'output_text', text, annotations, logprobs: [] }),
  },
  refusal: {
    delta: 'response.refusal.delta',
    done: 'response.refusal.done',
    beside: {},
    text: (refusal) => ({ refusal }),
    part: (refusal) => ({ type: 'refusal', refusal }),
  },
};

/** What every event about a content part repeats. */
interface ContentPlace extends Place {
  readonly content_index: number;
}

/** The content part of a message that is being written. */
export class OpenContent {
  readonly #output: OutputList;
  readonly #type: ContentType;
  readonly #place: ContentPlace;
  readonly #characters = new WholeCharacters();
  #text = '';

  constructor(output: OutputList, kind: ContentKind, place: ContentPlace) {
    this.#output = output;
    this.#type = contentTypes[kind];
    this.#place = place;
    output.emit('response.content_part.added', { ...place, part: this.#type.part('', []) });
  }

  /** The content part as it stands now. */
  compose(annotations: readonly JsonObject[] = []): JsonObject {
    return this.#type.part(this.#text, annotations);
  }

  delta(fragment: string): void {
    this.#show(this.#characters.add(fragment));
  }

  end(annotations: readonly JsonObject[]): void {
    this.#show(this.#characters.end());
    for (const [index, annotation] of annotations.entries())
      this.#output.emit('response.output_text.annotation.added', {
        ...this.#place,
        annotation_index: index,
        annotation,
      });
    const { done, beside } = this.#type;
    this.#output.emit(done, { ...this.#place, ...this.#type.text(this.#text), ...beside });
    this.#output.emit('response.content_part.done', { ...this.#place, part: this.compose(annotations) });
  }

  #show(delta: string): void {
    if (delta === '') return;
    this.#text += delta;
    this.#output.emit(this.#type.delta, { ...this.#place, delta, ...this.#type.beside });
  }
}

/** A message: its content parts one after the other, and the proofs of its texts behind it. */
export class MessageItem implements OpenItem {
  readonly #output: OutputList;
  readonly #newId: NewId;
  readonly #id: string;
  readonly #place: Place;
  /** The finished content parts. */
  readonly #content: JsonObject[] = [];
  readonly #proofs: { readonly content: number; readonly proof: Proof }[] = [];
  #open: OpenContent | undefined;

  constructor(output: OutputList, newId: NewId) {
    this.#output = output;
    this.#newId = newId;
    this.#id = newId('msg_');
    this.#place = output.add(this.#compose('in_progress', []));
  }

  openContent(kind: ContentKind): OpenContent {
    const place = { ...this.#place, content_index: this.#content.length };
    this.#open = new OpenContent(this.#output, kind, place);
    return this.#open;
  }

  /** @param proof sent in an item of its own behind the message */
  endContent(content: OpenContent, annotations: readonly JsonObject[], proof: Proof | undefined): void {
    content.end(annotations);
    if (proof !== undefined) this.#proofs.push({ content: this.#content.length, proof });
    this.#content.push(content.compose(annotations));
    this.#open = undefined;
  }

  close(status: ItemStatus): void {
    this.#output.finish(this.#place, this.#compose(status, this.#content));
    for (const { content, proof } of this.#proofs) writeProofItem(this.#output, this.#newId, { content }, proof);
  }

  partial(): Item {
    const open = this.#open === undefined ? [] : [this.#open.compose()];
    return this.#compose('incomplete', [...this.#content, ...open]);
  }

  #compose(status: ItemStatus | 'in_progress', content: readonly JsonObject[]): Item {
    return { id: this.#id, type: 'message', role: 'assistant', status, content };
  }
}
