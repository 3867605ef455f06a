import { type Citation, GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  emptyResponse,
  type EventDecoder,
  type Frame,
  isObject,
  loseUnread,
  malformedFrame,
  BUFFERED_ENTRY_COST,
  omitUndefined,
  parseJson,
  type ReadContext,
  readList,
  readText,
} from '../../../../../core/api/codec.ts';
import { readSources, sourceMembers } from '../../annotations.ts';
import { DONE } from '../../shape.ts';
import { createUsageReader } from '../../usage.ts';
import { ChoiceReader } from './choice-reader.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { bodyMembers } from './response.ts';

/** `obfuscation` is padding, and no part of the response. Sources become citations. */
const chunkMembers: ReadonlySet<string> = new Set([...bodyMembers, ...sourceMembers, 'obfuscation']);

/** A choice reader is larger than most kept entries. */
const CHOICE_ENTRIES = 4;

/** The error that a chunk holds at its top, or `undefined`. Groq sends it as an event named `error`. */
export function readChunkError(chunk: JsonObject, event: string | undefined): GatewayError | undefined {
  if (holdsError(chunk)) return decodeEmbeddedError(chunk);
  return event === 'error' ? decodeEmbeddedError({ error: chunk }) : undefined;
}

/** `index` of an entry of `choices`; some servers leave it out. */
const readIndex = ({ index }: Readonly<JsonObject>): number => (typeof index === 'number' ? index : 0);

/**
 * Reads the chunks of a stream. It accepts what the servers of this wire send, not only what OpenAI defines: usage can
 * be on any chunk, and content after the finish reason of a choice is ignored.
 */
class ChunkDecoder implements EventDecoder {
  readonly #context: ReadContext;
  readonly #choices = new Map<number, ChoiceReader>();
  readonly #keep = createBufferLimit();
  readonly #readUsage = createUsageReader();
  /** As last received: chunks repeat them. */
  #sources: readonly Citation[] = [];
  #started = false;
  #over = false;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  push(frame: Frame, emit: EmitEvent): void {
    if (this.#over || frame.data === '') return;
    if (frame.data === DONE) {
      this.#complete(emit);
      return;
    }
    const chunk = parseJson(frame.data);
    if (!isObject(chunk)) {
      this.#fail(malformedFrame(), emit);
      return;
    }
    const error = readChunkError(chunk, frame.event);
    if (error === undefined) {
      this.#readChunk(chunk, emit);
      return;
    }
    this.#emitUsage(chunk, emit);
    this.#fail(error, emit);
  }

  /** Without `[DONE]` the stream is complete only when every choice has finished. */
  end(emit: EmitEvent): void {
    if (this.#over) return;
    const readers = [...this.#choices.values()];
    if (readers.length > 0 && readers.every((reader) => reader.finished)) this.#complete(emit);
    else this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  #readChunk(chunk: JsonObject, emit: EmitEvent): void {
    const choices = readList(chunk['choices']);
    if (!this.#started || isObject(chunk['usage'])) loseUnread(chunk, chunkMembers, this.#context.lose);
    this.#start(chunk, choices.length, emit);
    this.#emitUsage(chunk, emit);
    const sources = readSources(chunk);
    if (sources.length > 0) this.#sources = sources;
    for (const choice of choices) if (isObject(choice) && !this.#over) this.#readChoice(choice, emit);
  }

  /** Azure sends a first chunk without id and choices: the response starts with the first chunk that has either. */
  #start(chunk: JsonObject, choices: number, emit: EmitEvent): void {
    if (this.#started) return;
    const id = readText(chunk['id']) || undefined;
    if (id === undefined && choices === 0) return;
    this.#started = true;
    emit(omitUndefined({ type: 'response-start', id, model: readText(chunk['model']) || undefined }));
  }

  #readChoice(choice: JsonObject, emit: EmitEvent): void {
    const failure = this.#choiceOf(readIndex(choice)).read(choice, emit, this.#sources);
    if (failure !== undefined) this.#fail(failure, emit);
  }

  #choiceOf(index: number): ChoiceReader {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    this.#keep(CHOICE_ENTRIES * BUFFERED_ENTRY_COST);
    const reader = new ChoiceReader(index, this.#context);
    this.#choices.set(index, reader);
    return reader;
  }

  #emitUsage(chunk: JsonObject, emit: EmitEvent): void {
    const usage = this.#readUsage(chunk);
    if (usage !== undefined) emit({ type: 'usage', usage });
  }

  #complete(emit: EmitEvent): void {
    const readers = [...this.#choices.values()];
    if (!readers.some((reader) => reader.produced)) {
      this.#fail(emptyResponse(), emit);
      return;
    }
    if (this.#context.omitsFinish !== true && !readers.some((reader) => reader.finished)) {
      this.#fail(new GatewayError('upstream_truncated'), emit);
      return;
    }
    for (const reader of readers) reader.finish('', emit);
    this.#over = true;
    emit({ type: 'response-end' });
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#over = true;
    emit({ type: 'error', error });
  }
}

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export const decodeStream = (context: ReadContext): EventDecoder => new ChunkDecoder(context);
