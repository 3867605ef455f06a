import {
  createKeptLimit,
  type EmitEvent,
  type Finish,
  type GatewayError,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  type ReadContext,
  readObjects,
  readText,
} from '../../../../../core/index.ts';
import { readBlock } from '../../finish-reason.ts';

import { holdsCounts, mergeUsage, readUsage } from '../../usage.ts';
import { createCandidateReader, type CandidateReader, type LateCitation } from './candidate.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';

export interface AnswerReader {
  /** Returns an error where the chunk is one. */
  read(chunk: JsonObject, emit: EmitEvent): GatewayError | undefined;
  /** Ends every choice and the answer. Citations of a part that was over come back by the number of its choice. */
  end(emit: EmitEvent): ReadonlyMap<number, readonly LateCitation[]>;
  /** Every candidate has told why it ended, or the prompt was blocked. */
  readonly finished: boolean;
  /** Anything of an answer was seen: content, a reason for its end, or a reason for none. */
  readonly produced: boolean;
  readonly candidates: ReadonlyMap<number, CandidateReader>;
}

/** The reader of a candidate is larger than most entries. */
const CANDIDATE_ENTRIES = 4;
/** More than any model gives. */
const MOST_CANDIDATES = 256;
const indexOf = ({ index }: JsonObject, position: number): number =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MOST_CANDIDATES ? index : position;

/** Chunks of a stream, or a whole answer, which is one chunk. https://ai.google.dev/api/generate-content#generatecontentresponse */
export function createAnswerReader(context: ReadContext): AnswerReader {
  const candidates = new Map<number, CandidateReader>();
  const keep = createKeptLimit();
  let started = false;
  let figures: Readonly<JsonObject> = {};
  let block: Finish | undefined;

  const start = ({ responseId, modelVersion }: JsonObject, emit: EmitEvent): void => {
    if (started) return;
    started = true;
    const [id, model] = [readText(responseId), readText(modelVersion)];
    emit({ type: 'response-start', ...(id === '' ? {} : { id }), ...(model === '' ? {} : { model }) });
  };
  const count = (usage: unknown, emit: EmitEvent): void => {
    if (!isObject(usage)) return;
    figures = mergeUsage(figures, usage);
    if (holdsCounts(usage)) emit({ type: 'usage', usage: readUsage(figures) });
  };
  const candidateOf = (index: number): CandidateReader => {
    const known = candidates.get(index);
    if (known !== undefined) return known;
    keep(CANDIDATE_ENTRIES * KEPT_ENTRY);
    const reader = createCandidateReader(index, context);
    candidates.set(index, reader);
    return reader;
  };

  return {
    candidates,
    get produced() {
      return block !== undefined || [...candidates.values()].some((candidate) => candidate.produced);
    },
    get finished() {
      return candidates.size > 0
        ? [...candidates.values()].every((candidate) => candidate.finished)
        : block !== undefined;
    },
    read: (chunk, emit) => {
      if (holdsError(chunk)) return decodeEmbeddedError(chunk);
      start(chunk, emit);
      count(chunk['usageMetadata'], emit);
      block ??= readBlock(chunk['promptFeedback']);
      for (const [position, candidate] of readObjects(chunk['candidates']).entries()) {
        candidateOf(indexOf(candidate, position)).read(candidate, emit);
      }
      return undefined;
    },
    end: (emit) => {
      const late = new Map([...candidates].map(([index, candidate]) => [index, candidate.end(emit)]));
      if (candidates.size === 0 && block !== undefined) emit({ type: 'choice-end', choice: 0, finish: block });
      emit({ type: 'response-end' });
      return late;
    },
  };
}
