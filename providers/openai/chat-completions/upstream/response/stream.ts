import { type Citation, GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  createEventDecoder,
  emptyResponse,
  type EventDecoder,
  type EventWriter,
  type Frame,
  type FrameReader,
  isObject,
  loseUnread,
  malformedFrame,
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
import { bodyMembers, readIndex } from './response.ts';

/** `obfuscation` is padding, and no part of the response. Sources become citations. */
const chunkMembers: ReadonlySet<string> = new Set([...bodyMembers, ...sourceMembers, 'obfuscation']);

/** The error that a chunk holds at its top, or `undefined`. Groq sends it as an event named `error`. */
export function readChunkError(chunk: JsonObject, event: string | undefined): GatewayError | undefined {
  if (holdsError(chunk)) return decodeEmbeddedError(chunk);
  return event === 'error' ? decodeEmbeddedError({ error: chunk }) : undefined;
}

/**
 * Reads the chunks of a stream. It accepts what the servers of this wire send, not only what OpenAI defines: usage can
 * be on any chunk, and content after the finish reason of a choice is ignored.
 */
class ChunkReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;
  readonly #choices = new Map<number, ChoiceReader>();
  readonly #readUsage = createUsageReader();
  /** As last received: chunks repeat them. */
  #sources: readonly Citation[] = [];
  #started = false;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
  }

  push(frame: Frame): void {
    if (frame.data === DONE) return this.#complete();
    const chunk = parseJson(frame.data);
    if (!isObject(chunk)) throw malformedFrame();
    const error = readChunkError(chunk, frame.event);
    if (error === undefined) return this.#readChunk(chunk);
    this.#events.usage(this.#readUsage(chunk));
    throw error;
  }

  #readChunk(chunk: JsonObject): void {
    const choices = readList(chunk['choices']);
    if (!this.#started || isObject(chunk['usage'])) loseUnread(chunk, chunkMembers, this.#context.lose);
    this.#start(chunk, choices.length);
    this.#events.usage(this.#readUsage(chunk));
    const sources = readSources(chunk);
    if (sources.length > 0) this.#sources = sources;
    for (const choice of choices) if (isObject(choice)) this.#choiceOf(readIndex(choice)).read(choice, this.#sources);
  }

  /** Azure sends a first chunk without id and choices: the response starts with the first chunk that has either. */
  #start(chunk: JsonObject, choices: number): void {
    if (this.#started) return;
    const id = readText(chunk['id']);
    if (id === '' && choices === 0) return;
    this.#started = true;
    this.#events.start({ id, model: readText(chunk['model']) });
  }

  #choiceOf(index: number): ChoiceReader {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const reader = new ChoiceReader(this.#context, index, this.#events.choice(index));
    this.#choices.set(index, reader);
    return reader;
  }

  /** Without `[DONE]` the stream is complete only when every choice has finished. */
  #complete(): void {
    const readers = [...this.#choices.values()];
    if (!readers.some((reader) => reader.produced)) throw emptyResponse();
    if (this.#context.omitsFinish !== true && !readers.some((reader) => reader.finished))
      throw new GatewayError('upstream_truncated');
    for (const reader of readers) reader.finish('');
    this.#events.end();
  }
}

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => new ChunkReader(context, events));
