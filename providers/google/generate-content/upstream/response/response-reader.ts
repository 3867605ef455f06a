import type { Finish, GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  isObject,
  BUFFERED_ENTRY_COST,
  type ReadContext,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { readBlockedPrompt } from '../../finish-reason.ts';
import { hasCounts, mergeUsage, readUsage } from '../../usage.ts';
import { CandidateReader, type LateCitation } from './candidate-reader.ts';
import { decodeEmbeddedError, hasError } from './error.ts';

/** What a candidate reader counts: it is larger than most entries. */
const CANDIDATE_COST = 4 * BUFFERED_ENTRY_COST;
/** More than any model returns. */
const MAX_CANDIDATES = 256;

const indexOf = ({ index }: JsonObject, position: number): number =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CANDIDATES ? index : position;

/**
 * Reads the chunks of a stream, or a plain response as one chunk.
 * https://ai.google.dev/api/generate-content#generatecontentresponse
 */
export class ResponseReader {
  readonly candidates = new Map<number, CandidateReader>();
  readonly #context: ReadContext;
  readonly #keep = createBufferLimit();
  #started = false;
  #usage: Readonly<JsonObject> = {};
  #block: Finish | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
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

  /** Returns an error if the chunk is one. */
  read(chunk: JsonObject, emit: EmitEvent): GatewayError | undefined {
    if (hasError(chunk)) return decodeEmbeddedError(chunk);
    this.#start(chunk, emit);
    this.#readUsage(chunk['usageMetadata'], emit);
    this.#block ??= readBlockedPrompt(chunk['promptFeedback']);
    for (const [position, candidate] of readObjects(chunk['candidates']).entries())
      this.#candidateAt(indexOf(candidate, position)).read(candidate, emit);
    return undefined;
  }

  /** Ends every choice, then the response. Returns late citations by the handle of their choice. */
  end(emit: EmitEvent): ReadonlyMap<number, readonly LateCitation[]> {
    const late = new Map([...this.candidates].map(([index, candidate]) => [index, candidate.end(emit)]));
    if (this.candidates.size === 0 && this.#block !== undefined)
      emit({ type: 'choice-end', choice: 0, finish: this.#block });
    emit({ type: 'response-end' });
    return late;
  }

  #start({ responseId, modelVersion }: JsonObject, emit: EmitEvent): void {
    if (this.#started) return;
    this.#started = true;
    const id = readText(responseId);
    const model = readText(modelVersion);
    emit({ type: 'response-start', ...(id === '' ? {} : { id }), ...(model === '' ? {} : { model }) });
  }

  #readUsage(usage: unknown, emit: EmitEvent): void {
    if (!isObject(usage)) return;
    this.#usage = mergeUsage(this.#usage, usage);
    if (hasCounts(usage)) emit({ type: 'usage', usage: readUsage(this.#usage) });
  }

  #candidateAt(index: number): CandidateReader {
    const known = this.candidates.get(index);
    if (known !== undefined) return known;
    this.#keep(CANDIDATE_COST);
    const reader = new CandidateReader(index, this.#context);
    this.candidates.set(index, reader);
    return reader;
  }
}
