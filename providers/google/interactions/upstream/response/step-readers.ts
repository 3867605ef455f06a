import type { JsonObject, Media } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  type ChoiceWriter,
  type createBufferLimit,
  isObject,
  lookUp,
  loseUnread,
  type PartWriter,
  type ReadContext,
  readList,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId } from '../../../generate-content/shape.ts';
import { readAnnotations } from '../../annotations.ts';
import { usualMediaType, WIRE } from '../../shape.ts';
import { readOpaqueStep } from '../../web-search.ts';

/** Shared by the readers of one response. */
export interface StepContext extends ReadContext {
  readonly answer: ChoiceWriter;
  /** Counts what is buffered of the response. */
  readonly keep: ReturnType<typeof createBufferLimit>;
}

/** Reads one step. It is created with what the step holds at its start, which is all of it in a plain response. */
export interface StepReader {
  delta(delta: Readonly<JsonObject>): void;
  end(): void;
}

type CreateReader = (context: StepContext, step: Readonly<JsonObject>) => StepReader;

/** Summaries follow each other without a break. A step without text and signature is no part. */
const readThought: CreateReader = ({ answer, origin, lose }, step) => {
  let part: PartWriter | undefined;
  const open = (): PartWriter => (part ??= answer.open('reasoning'));
  const write = (content: Readonly<JsonObject>): void => {
    const text = readText(content['text']);
    if (content['type'] !== 'text' && content['text'] === undefined)
      lose('steps.summary', 'dropped', 'the canonical form has no images in reasoning');
    else if (text !== '') open().write(text);
  };
  /** Empty signatures come before the real one. */
  const sign = (signature: unknown): void => {
    const value = readText(signature);
    if (value !== '') open().proof = { origin, value };
  };
  for (const content of readObjects(step['summary'])) write(content);
  sign(step['signature']);
  return {
    delta: ({ type, content, signature }) => {
      if (type === 'thought_summary') write(readObject(content));
      else if (type === 'thought_signature') sign(signature);
    },
    end: () => part?.end(),
  };
};

/** The members of a medium that are read. */
const mediaMembers: ReadonlySet<string> = new Set(['type', 'mime_type', 'data', 'uri']);

const readMedia = (content: Readonly<JsonObject>, usual: string): Media | undefined => {
  const mediaType = readText(content['mime_type']) || usual;
  const data = readText(content['data']);
  const uri = readText(content['uri']);
  if (data !== '') return { mediaType, base64: data };
  return uri === '' ? undefined : { mediaType, url: uri };
};

/** Texts and media. Deltas of text continue the text before them. */
class OutputReader implements StepReader {
  readonly #context: StepContext;
  #open: { readonly part: PartWriter; text: string; readonly annotations: JsonObject[] } | undefined;

  constructor(context: StepContext, step: Readonly<JsonObject>) {
    this.#context = context;
    for (const content of readObjects(step['content'])) {
      this.#close();
      this.delta(content);
    }
    if (isObject(step['error']))
      context.lose('steps.error', 'dropped', 'the canonical form has no error of a part of a response');
  }

  delta(delta: Readonly<JsonObject>): void {
    const type = readText(delta['type']);
    const usual = usualMediaType(type);
    if (type === 'text') {
      const text = readText(delta['text']);
      if (text !== '') this.#write(text);
      this.#annotate(delta['annotations']);
    } else if (type === 'text_annotation_delta') this.#annotate(delta['annotations']);
    else this.#writeWhole(delta, usual);
  }

  end(): void {
    this.#close();
  }

  #write(text: string): void {
    this.#context.keep(text.length);
    this.#open ??= { part: this.#context.answer.open('text'), text: '', annotations: [] };
    this.#open.part.write(text);
    this.#open.text += text;
  }

  #annotate(annotations: unknown): void {
    const listed = readList(annotations).filter(isObject);
    this.#context.keep(listed.length * BUFFERED_ENTRY_COST);
    this.#open?.annotations.push(...listed);
  }

  #writeWhole(content: Readonly<JsonObject>, usual: string | undefined): void {
    this.#close();
    const media = usual === undefined ? undefined : readMedia(content, usual);
    if (media !== undefined) {
      loseUnread(content, mediaMembers, this.#context.lose, 'steps.content.');
      this.#context.answer.media(media);
    }
    if (usual === undefined) this.#context.answer.opaque({ type: 'opaque', wire: WIRE, value: content });
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    open.part.cite(readAnnotations(open.annotations, open.text));
    open.part.end();
    this.#open = undefined;
  }
}

/** A call of a function. Its arguments are an object, or come as pieces of JSON. */
const readCall: CreateReader = ({ answer, origin, turn }, step) => {
  const id = readText(step['id']) || deriveCallId(turn, answer.calls);
  const part = answer.call({ id, name: readText(step['name']), kind: 'function' });
  const value = readText(step['signature']);
  if (value !== '') part.proof = { origin, value };
  let input = step['arguments'];
  return {
    delta: ({ arguments: piece }) => {
      if (typeof piece === 'string') part.write(piece);
      else if (isObject(piece)) input = piece;
    },
    end: () => {
      if (part.isEmpty && isObject(input)) part.write(JSON.stringify(input));
      part.end();
    },
  };
};

/** A step that only this wire defines, such as a search that ran at the vendor: written whole when it has ended. */
const readOpaque: CreateReader = ({ answer, keep }, start) => {
  let step = start;
  return {
    delta: ({ type: _type, ...members }) => {
      keep(BUFFERED_ENTRY_COST + JSON.stringify(members).length);
      step = { ...step, ...members };
    },
    end: () => answer.opaque(readOpaqueStep(step)),
  };
};

const readers: Readonly<Record<string, CreateReader>> = {
  thought: readThought,
  model_output: (context, step) => new OutputReader(context, step),
  function_call: readCall,
};

/** https://ai.google.dev/api/interactions-api */
export const createStepReader: CreateReader = (context, step) =>
  (lookUp(readers, readText(step['type'])) ?? readOpaque)(context, step);
