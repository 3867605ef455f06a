import type { JsonObject } from '../../../../../core/api/index.ts';
import type { Proof } from '../../../../../core/api/codec.ts';
import type { Item, ItemStatus, NewId, OpenItem, OutputList, ItemPosition } from './output-list.ts';
import { writeProofItem } from './reasoning-item.ts';

export type ContentKind = 'text' | 'refusal';

/** How a kind of content is written. */
interface ContentType {
  readonly delta: string;
  readonly done: string;
  /** What its deltas have in addition to the text: the SDK expects the list. */
  beside(logprobs: readonly JsonObject[]): JsonObject;
  text(text: string): JsonObject;
  part(text: string, annotations: readonly JsonObject[], logprobs: readonly JsonObject[]): JsonObject;
}
const contentTypes: Readonly<Record<ContentKind, ContentType>> = {
  text: {
    delta: 'response.output_text.delta',
    done: 'response.output_text.done',
    beside: (logprobs) => ({ logprobs }),
    text: (text) => ({ text }),
    part: (text, annotations, logprobs) => ({ type: 'output_text', text, annotations, logprobs }),
  },
  refusal: {
    delta: 'response.refusal.delta',
    done: 'response.refusal.done',
    beside: () => ({}),
    text: (refusal) => ({ refusal }),
    part: (refusal) => ({ type: 'refusal', refusal }),
  },
};

/** What every event about a content part repeats. */
interface ContentPosition extends ItemPosition {
  readonly content_index: number;
}

/** The content part of a message that is being written. */
export class OpenContent {
  readonly #output: OutputList;
  readonly #type: ContentType;
  readonly #position: ContentPosition;
  readonly #logprobs: JsonObject[] = [];
  #text = '';

  constructor(output: OutputList, kind: ContentKind, position: ContentPosition) {
    this.#output = output;
    this.#type = contentTypes[kind];
    this.#position = position;
    output.emit('response.content_part.added', { ...position, part: this.#type.part('', [], []) });
  }

  /** The content part as it stands now. */
  compose(annotations: readonly JsonObject[] = []): JsonObject {
    return this.#type.part(this.#text, annotations, this.#logprobs);
  }

  /** @param logprobs of the tokens up to here */
  delta(fragment: string, logprobs: readonly JsonObject[]): void {
    for (const token of logprobs) this.#logprobs.push(token);
    if (fragment === '' && logprobs.length === 0) return;
    this.#text += fragment;
    this.#output.emit(this.#type.delta, { ...this.#position, delta: fragment, ...this.#type.beside(logprobs) });
  }

  end(annotations: readonly JsonObject[]): void {
    for (const [index, annotation] of annotations.entries())
      this.#output.emit('response.output_text.annotation.added', {
        ...this.#position,
        annotation_index: index,
        annotation,
      });
    const { done, beside } = this.#type;
    this.#output.emit(done, { ...this.#position, ...this.#type.text(this.#text), ...beside(this.#logprobs) });
    this.#output.emit('response.content_part.done', { ...this.#position, part: this.compose(annotations) });
  }
}

/** A message: its content parts one after the other, and the proofs of its texts behind it. */
export class MessageItem implements OpenItem {
  readonly #output: OutputList;
  readonly #newId: NewId;
  readonly #id: string;
  readonly #position: ItemPosition;
  /** The finished content parts. */
  readonly #content: JsonObject[] = [];
  readonly #proofs: { readonly content: number; readonly proof: Proof }[] = [];
  #open: OpenContent | undefined;

  constructor(output: OutputList, newId: NewId) {
    this.#output = output;
    this.#newId = newId;
    this.#id = newId('msg_');
    this.#position = output.add(this.#compose('in_progress', []));
  }

  openContent(kind: ContentKind): OpenContent {
    const position = { ...this.#position, content_index: this.#content.length };
    this.#open = new OpenContent(this.#output, kind, position);
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
    this.#output.finish(this.#position, this.#compose(status, this.#content));
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
