import type { JsonObject, Media } from '../../../../../core/api/index.ts';
import {
  type CallHead,
  type Lose,
  type PartEncoder,
  type PartEnd,
  type Proof,
  sealProof,
} from '../../../../../core/api/codec.ts';
import { parseCallInput, sealItemProof } from '../../../../../core/api/internal.ts';
import { writeAnnotations } from '../../annotations.ts';
import { contentTypeOf } from '../../shape.ts';

/** Sends one event of the stream. A plain response is composed from the same steps, and its events are discarded. */
export type Emit = (type: string, members: JsonObject) => void;

/** The steps as they grow. Their numbers are dense from 0, in the order in which they start. */
export class StepList {
  /** The finished steps. */
  readonly steps: JsonObject[] = [];
  readonly #emit: Emit;
  #next = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Starts a step. @returns its index */
  start(step: JsonObject): number {
    const index = this.#next++;
    this.#emit('step.start', { index, step });
    return index;
  }

  delta(index: number, delta: JsonObject): void {
    this.#emit('step.delta', { index, delta });
  }

  /** @param step as a plain response has it */
  stop(index: number, step: JsonObject): void {
    this.steps.push(step);
    this.#emit('step.stop', { index });
  }

  /** Writes a step that has no deltas. */
  write(step: JsonObject): void {
    this.stop(this.start(step), step);
  }
}

const THOUGHT = 'thought';
const OUTPUT = 'model_output';

/** Writes a thought that has only a signature. */
export function writeSignature(list: StepList, signature: string): void {
  const index = list.start({ type: THOUGHT });
  list.delta(index, { type: 'thought_signature', signature });
  list.stop(index, { type: THOUGHT, signature });
}

/** A text. Its step starts with the first character: a part that stays empty is not written. */
export class TextPart implements PartEncoder {
  readonly #list: StepList;
  readonly #lose: Lose;
  #index: number | undefined;
  #text = '';

  constructor(list: StepList, lose: Lose) {
    this.#list = list;
    this.#lose = lose;
  }

  delta(text: string): void {
    this.#index ??= this.#list.start({ type: OUTPUT });
    this.#text += text;
    this.#list.delta(this.#index, { type: 'text', text });
  }

  end({ citations = [], proof }: PartEnd): void {
    if (this.#index === undefined) return;
    const annotations = writeAnnotations(citations, this.#text, () =>
      this.#lose('steps.content.annotations', 'dropped', 'interactions has no citation without a URL'),
    );
    const cited: JsonObject = annotations.length === 0 ? {} : { annotations };
    if (annotations.length > 0) this.#list.delta(this.#index, { type: 'text_annotation_delta', ...cited });
    this.#list.stop(this.#index, { type: OUTPUT, content: [{ type: 'text', text: this.#text, ...cited }] });
    if (proof !== undefined) writeSignature(this.#list, sealItemProof({ content: 0 }, proof));
  }
}

interface ThoughtOptions {
  /** False: thoughts are billed, but their text is not sent. Their signature is: the next turn needs it. */
  readonly visible: boolean;
  /** The provider sends only a proof. */
  readonly redacted: boolean;
}

/** Reasoning. Hidden reasoning is a thought without a summary, as the vendor writes it. */
export class ThoughtPart implements PartEncoder {
  readonly #list: StepList;
  readonly #options: ThoughtOptions;
  #index: number | undefined;
  #text = '';

  constructor(list: StepList, options: ThoughtOptions) {
    this.#list = list;
    this.#options = options;
  }

  delta(text: string): void {
    const index = this.#start();
    if (!this.#options.visible) return;
    this.#text += text;
    this.#list.delta(index, { type: 'thought_summary', content: { type: 'text', text } });
  }

  end({ proof }: PartEnd): void {
    const signature = this.#seal(proof);
    if (this.#index === undefined && signature === undefined) return;
    const index = this.#start();
    if (signature !== undefined) this.#list.delta(index, { type: 'thought_signature', signature });
    this.#list.stop(index, {
      type: THOUGHT,
      ...(signature === undefined ? {} : { signature }),
      ...(this.#text === '' ? {} : { summary: [{ type: 'text', text: this.#text }] }),
    });
  }

  #start(): number {
    this.#index ??= this.#list.start({ type: THOUGHT });
    return this.#index;
  }

  #seal(proof: Proof | undefined): string | undefined {
    if (proof === undefined) return undefined;
    return sealProof(this.#options.redacted ? { ...proof, redacted: true } : proof);
  }
}

/**
 * A call of a function. Its arguments come as pieces of JSON; a plain response has the object. The text of a custom
 * tool, which the wire does not have, becomes the member `input` once it is complete.
 */
export class CallPart implements PartEncoder {
  readonly #list: StepList;
  readonly #call: CallHead;
  readonly #lose: Lose;
  readonly #index: number;
  #input = '';

  constructor(list: StepList, call: CallHead, lose: Lose) {
    this.#list = list;
    this.#call = call;
    this.#lose = lose;
    this.#index = list.start(this.#compose({}));
  }

  delta(piece: string): void {
    this.#input += piece;
    if (this.#call.kind !== 'custom') this.#send(piece);
  }

  end({ proof }: PartEnd): void {
    const isCustom = this.#call.kind === 'custom';
    if (isCustom) this.#send(JSON.stringify({ input: this.#input }));
    // Clients parse the arguments.
    else if (this.#input === '') this.delta('{}');
    const args = isCustom ? { input: this.#input } : parseCallInput(this.#input, 'steps.arguments', this.#lose);
    this.#list.stop(this.#index, this.#compose(args));
    if (proof !== undefined) writeSignature(this.#list, sealItemProof({ callId: this.#call.id }, proof));
  }

  #send(piece: string): void {
    this.#list.delta(this.#index, { type: 'arguments_delta', arguments: piece });
  }

  #compose(args: JsonObject): JsonObject {
    return { type: 'function_call', id: this.#call.id, name: this.#call.name, arguments: args };
  }
}

/** An image, audio or a document that the model made. */
export const writeMedia = (list: StepList, media: Media): void =>
  writeContent(list, {
    type: contentTypeOf(media.mediaType),
    mime_type: media.mediaType,
    ...('base64' in media ? { data: media.base64 } : { uri: 'url' in media ? media.url : media.fileId }),
  });

/** Content without deltas. */
export function writeContent(list: StepList, content: JsonObject): void {
  const index = list.start({ type: OUTPUT });
  list.delta(index, content);
  list.stop(index, { type: OUTPUT, content: [content] });
}
