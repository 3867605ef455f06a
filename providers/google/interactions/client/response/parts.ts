import type { JsonObject, Media } from '../../../../../core/api/index.ts';
import { type CallHead, type Lose, type PartEncoder, sealProof } from '../../../../../core/api/codec.ts';
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
export function startText(list: StepList, lose: Lose): PartEncoder {
  let index: number | undefined;
  let written = '';
  return {
    delta: (text) => {
      index ??= list.start({ type: OUTPUT });
      written += text;
      list.delta(index, { type: 'text', text });
    },
    end: ({ citations = [], proof }) => {
      if (index === undefined) return;
      const annotations = writeAnnotations(citations, written, () =>
        lose('steps.content.annotations', 'dropped', 'interactions has no citation without a URL'),
      );
      const cited: JsonObject = annotations.length === 0 ? {} : { annotations };
      if (annotations.length > 0) list.delta(index, { type: 'text_annotation_delta', ...cited });
      list.stop(index, { type: OUTPUT, content: [{ type: 'text', text: written, ...cited }] });
      if (proof !== undefined) writeSignature(list, sealItemProof({ content: 0 }, proof));
    },
  };
}

interface ThoughtOptions {
  /** False: thoughts are billed, but their text is not sent. Their signature is: the next turn needs it. */
  readonly visible: boolean;
  /** The provider sends only a proof. */
  readonly redacted: boolean;
}

/** Reasoning. Hidden reasoning is a thought without a summary, as the vendor writes it. */
export function startThought(list: StepList, { visible, redacted }: ThoughtOptions): PartEncoder {
  let index: number | undefined;
  let summary = '';
  return {
    delta: (text) => {
      index ??= list.start({ type: THOUGHT });
      if (!visible) return;
      summary += text;
      list.delta(index, { type: 'thought_summary', content: { type: 'text', text } });
    },
    end: ({ proof }) => {
      const signature = proof && sealProof(redacted ? { ...proof, redacted } : proof);
      if (index === undefined && signature === undefined) return;
      index ??= list.start({ type: THOUGHT });
      if (signature !== undefined) list.delta(index, { type: 'thought_signature', signature });
      list.stop(index, {
        type: THOUGHT,
        ...(signature === undefined ? {} : { signature }),
        ...(summary === '' ? {} : { summary: [{ type: 'text', text: summary }] }),
      });
    },
  };
}

/**
 * A call of a function. Its arguments come as pieces of JSON; a plain response has the object. The text of a custom
 * tool, which the wire does not have, becomes the member `input` once it is complete.
 */
export function startCall(list: StepList, { id, name, kind }: CallHead, lose: Lose): PartEncoder {
  const compose = (args: JsonObject): JsonObject => ({ type: 'function_call', id, name, arguments: args });
  const send = (piece: string): void => list.delta(index, { type: 'arguments_delta', arguments: piece });
  const index = list.start(compose({}));
  const isCustom = kind === 'custom';
  let input = '';
  const delta = (piece: string): void => {
    input += piece;
    if (!isCustom) send(piece);
  };
  return {
    delta,
    end: ({ proof }) => {
      if (isCustom) send(JSON.stringify({ input }));
      // Clients parse the arguments.
      else if (input === '') delta('{}');
      list.stop(index, compose(isCustom ? { input } : parseCallInput(input, 'steps.arguments', lose)));
      if (proof !== undefined) writeSignature(list, sealItemProof({ callId: id }, proof));
    },
  };
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
