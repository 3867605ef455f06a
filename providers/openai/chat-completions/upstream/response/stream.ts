import {
  createKeptLimit,
  type EmitEvent,
  emptyAnswer,
  type EventDecoder,
  type Frame,
  GatewayError,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  parseJson,
  type ReadContext,
  readList,
  readText,
} from '../../../../../core/index.ts';
import { DONE } from '../../shape.ts';
import { createUsageReader } from '../../usage.ts';
import { createChoiceReader, type ChoiceReader } from './choice.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';

/** The reader of a choice is larger than most entries. */
const CHOICE_ENTRIES = 4;

/** What a frame of this wire that is no JSON object means. */
export const malformed = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent a frame that is not a JSON object.');
export const truncated = (): GatewayError => new GatewayError('upstream_truncated');

/** The whole of a chunk as an error, or `undefined`. Groq names the event too. */
export function readChunkError(chunk: JsonObject, event: string | undefined): GatewayError | undefined {
  if (holdsError(chunk)) return decodeEmbeddedError(chunk);
  return event === 'error' ? decodeEmbeddedError({ error: chunk }) : undefined;
}

/**
 * Chunks as events. Written for what vendors of this wire send, not only for what OpenAI defines: see the readers of a choice and of its calls.
 * The order is not trusted: usage may stand on any chunk, and nothing after a choice's finish is content.
 */
export function decodeStream(context: ReadContext): EventDecoder {
  const choices = new Map<number, ChoiceReader>();
  const keep = createKeptLimit();
  const readUsage = createUsageReader();
  let started = false;
  let over = false;

  /** Azure opens with a chunk that has neither id nor choices: the answer begins with the first one that has. */
  const start = (chunk: JsonObject, emit: EmitEvent) => {
    const id = readText(chunk['id']);
    const model = readText(chunk['model']);
    if (started || (id === '' && readList(chunk['choices']).length === 0)) return;
    started = true;
    emit({ type: 'response-start', ...(id === '' ? {} : { id }), ...(model === '' ? {} : { model }) });
  };
  const count = (chunk: JsonObject, emit: EmitEvent) => {
    const usage = readUsage(chunk);
    if (usage !== undefined) emit({ type: 'usage', usage });
  };
  const fail = (error: GatewayError, emit: EmitEvent) => {
    over = true;
    emit({ type: 'error', error });
  };
  const choiceOf = (index: number): ChoiceReader => {
    const known = choices.get(index);
    if (known !== undefined) return known;
    keep(CHOICE_ENTRIES * KEPT_ENTRY);
    const fresh = createChoiceReader(index, context);
    choices.set(index, fresh);
    return fresh;
  };
  const readChoice = (choice: JsonObject, emit: EmitEvent) => {
    const failure = choiceOf(typeof choice['index'] === 'number' ? choice['index'] : 0).read(choice, emit);
    if (failure !== undefined) fail(failure, emit);
  };
  const complete = (emit: EmitEvent) => {
    const readers = [...choices.values()];
    if (!readers.some((reader) => reader.produced)) {
      fail(emptyAnswer(), emit);
      return;
    }
    if (context.omitsFinish !== true && !readers.some((reader) => reader.finished)) {
      fail(truncated(), emit);
      return;
    }
    for (const reader of readers) reader.finish('', emit);
    over = true;
    emit({ type: 'response-end' });
  };
  const readChunk = (chunk: JsonObject, emit: EmitEvent) => {
    start(chunk, emit);
    count(chunk, emit);
    for (const choice of readList(chunk['choices'])) {
      if (isObject(choice) && !over) readChoice(choice, emit);
    }
  };

  return {
    push: (frame: Frame, emit) => {
      if (over || frame.data === '') return;
      if (frame.data === DONE) {
        complete(emit);
        return;
      }
      const chunk = parseJson(frame.data);
      if (!isObject(chunk)) {
        fail(malformed(), emit);
        return;
      }
      const error = readChunkError(chunk, frame.event);
      if (error === undefined) {
        readChunk(chunk, emit);
        return;
      }
      count(chunk, emit);
      fail(error, emit);
    },
    end: (emit) => {
      if (over) return;
      const finished = choices.size > 0 && [...choices.values()].every((reader) => reader.finished);
      if (finished) complete(emit);
      else fail(truncated(), emit);
    },
  };
}
