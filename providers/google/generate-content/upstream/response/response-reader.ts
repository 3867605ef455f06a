import type { Finish, GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  BUFFERED_ENTRY_COST,
  type ReadContext,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { readBlockedPrompt } from '../../finish-reason.ts';
import { CandidateReader, type LateCitation } from './candidate-reader.ts';
import { decodeEmbeddedError, hasError } from './error.ts';
import { UsageReader } from './usage-reader.ts';

/** What a candidate reader counts: it is larger than most entries. */
const CANDIDATE_COST = 4 * BUFFERED_ENTRY_COST;
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
  readonly #keep = createBufferLimit();
  readonly #usage: UsageReader;
  readonly #extra: JsonObject = {};
  #started = false;
  #block: Finish | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
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

  /** The members of the response that the canonical form cannot hold. */
  get extra(): Readonly<JsonObject> {
    return this.#extra;
  }

  /** Returns an error if the chunk is one. */
  read(chunk: JsonObject, emit: EmitEvent): GatewayError | undefined {
    if (hasError(chunk)) return decodeEmbeddedError(chunk);
    this.#start(chunk, emit);
    const candidates = readObjects(chunk['candidates']);
    const usage = this.#usage.read(chunk, candidates);
    if (usage !== undefined) emit({ type: 'usage', usage });
    this.#block ??= readBlockedPrompt(chunk['promptFeedback']);
    for (const [position, candidate] of candidates.entries())
      this.#candidateAt(indexOf(candidate, position)).read(candidate, emit);
    this.#readExtra(chunk);
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

  #readExtra(chunk: JsonObject): void {
    for (const name of Object.keys(chunk)) {
      if (knownMembers.has(name) || name === '__proto__' || chunk[name] === null) continue;
      if (!Object.hasOwn(this.#extra, name)) this.#keep(BUFFERED_ENTRY_COST + name.length);
      this.#extra[name] = chunk[name];
    }
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
