import type { Finish, JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EventWriter,
  type ReadContext,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { readBlockedPrompt } from '../../finish.ts';
import { CandidateReader, keepUnread, type LateCitation } from './candidate-reader.ts';
import { decodeEmbeddedError, hasError } from './error.ts';
import { UsageReader } from '../../usage.ts';

/** More than any model returns. */
const MAX_CANDIDATES = 256;

/** Members of a chunk that are read. */
const knownMembers: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId']);

const indexOf = ({ index }: JsonObject, position: number): number =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CANDIDATES ? index : position;

/**
 * Reads the chunks of a stream, or a plain response as one chunk.
 * https://ai.google.dev/api/generate-content#generatecontentresponse
 */
export class ResponseReader {
  readonly candidates = new Map<number, CandidateReader>();
  readonly #context: ReadContext;
  readonly #events: EventWriter;
  readonly #keep = createBufferLimit();
  readonly #usage: UsageReader;
  /** The members of the response that the canonical form cannot hold. */
  readonly extra: JsonObject = {};
  #block: Finish | undefined;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
    this.#usage = new UsageReader(context.billsOneSearch);
  }

  /** Content, a finish reason or the reason of a blocked prompt was received. */
  get produced(): boolean {
    return this.#block !== undefined || [...this.candidates.values()].some((candidate) => candidate.produced);
  }

  /** Every candidate has a finish reason, or the prompt was blocked. */
  get finished(): boolean {
    return this.candidates.size > 0
      ? [...this.candidates.values()].every((candidate) => candidate.finished)
      : this.#block !== undefined;
  }

  /** @throws GatewayError if the chunk is an error */
  read(chunk: JsonObject): void {
    if (hasError(chunk)) throw decodeEmbeddedError(chunk);
    this.#events.start({ id: readText(chunk['responseId']), model: readText(chunk['modelVersion']) });
    const candidates = readObjects(chunk['candidates']);
    this.#events.usage(this.#usage.read(chunk, candidates));
    this.#block ??= readBlockedPrompt(chunk['promptFeedback']);
    for (const [position, candidate] of candidates.entries())
      this.#candidateAt(indexOf(candidate, position)).read(candidate);
    keepUnread(chunk, knownMembers, this.extra, this.#keep);
  }

  /** Ends every choice, then the response. Returns late citations by the number of their choice. */
  end(): ReadonlyMap<number, readonly LateCitation[]> {
    const late = new Map([...this.candidates].map(([index, candidate]) => [index, candidate.end()]));
    if (this.candidates.size === 0 && this.#block !== undefined) this.#events.choice(0).finish(this.#block);
    this.#events.end();
    return late;
  }

  #candidateAt(index: number): CandidateReader {
    const known = this.candidates.get(index);
    if (known !== undefined) return known;
    const reader = new CandidateReader(this.#context, index, this.#events.choice(index));
    this.candidates.set(index, reader);
    return reader;
  }
}
