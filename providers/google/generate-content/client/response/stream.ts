import type { GatewayError, JsonObject, Usage } from '../../../../../core/api/index.ts';
import type { EventEncoder, GenerateEvent, WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { writeUsage } from '../../usage.ts';
import { CandidateWriter } from './candidate-writer.ts';
import { encodeErrorBody } from './error.ts';
import { composeHead, showsThoughts } from './response.ts';

type ResponseStart = Extract<GenerateEvent, { type: 'response-start' }>;

const noFrame: WriteFrame = () => {};

/**
 * Stands before a candidate with a higher index: the AI SDK, and `text` of the official SDK, take the first candidate
 * of each chunk for the response. It has no content: the SDK does not send back a history with an empty text.
 */
const FIRST: JsonObject = { index: 0 };

class StreamEncoder implements EventEncoder {
  readonly #context: WriteContext;
  readonly #show: boolean;
  readonly #candidates = new Map<number, CandidateWriter>();
  #frame = noFrame;
  #start: Partial<ResponseStart> = {};
  /** The members that every chunk has, made with the first chunk. */
  #head: JsonObject | undefined;
  #usage: Usage | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#show = showsThoughts(context);
  }

  push(event: GenerateEvent, frame: WriteFrame): void {
    this.#frame = frame;
    switch (event.type) {
      case 'response-start':
        this.#start = event;
        return;
      case 'part-start':
      case 'part-delta':
      case 'part-end':
        return this.#candidateAt(event.choice).push(event);
      case 'choice-end':
        return this.#candidateAt(event.choice).setFinish(event.finish);
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'response-end':
        return this.#endResponse();
      case 'error':
        return this.#writeError(event.error);
    }
  }

  #endResponse(): void {
    if (this.#candidates.size === 0) this.#candidateAt(0);
    const ordered = [...this.#candidates].sort(([a], [b]) => a - b);
    const last = ordered.at(-1)?.[0];
    for (const [index, candidate] of ordered) {
      const usage = index === last ? this.#usage : undefined;
      this.#writeChunk(candidate.end(), usage === undefined ? {} : { usageMetadata: writeUsage(usage) });
    }
  }

  /** A call that is held back is not written: a client must not run a call of a response that was cut off. */
  #writeError(error: GatewayError): void {
    this.#frame(undefined, JSON.stringify(encodeErrorBody(error)));
  }

  #writeChunk(candidate: JsonObject, members: JsonObject = {}): void {
    this.#head ??= composeHead(this.#start, this.#context.newId);
    const candidates = candidate['index'] === 0 ? [candidate] : [FIRST, candidate];
    this.#frame(undefined, JSON.stringify({ candidates, ...members, ...this.#head }));
  }

  #candidateAt(index: number): CandidateWriter {
    const known = this.#candidates.get(index);
    if (known !== undefined) return known;
    const candidate = new CandidateWriter({
      index,
      lose: this.#context.lose,
      show: this.#show,
      logprobs: this.#context.request.logprobs !== undefined,
      write: (chunk) => this.#writeChunk(chunk),
    });
    this.#candidates.set(index, candidate);
    return candidate;
  }
}

/**
 * Encodes events as chunks of a response: frames without a name and without a terminal event, in either framing. The
 * last chunk has each finish reason and the usage, and also a part: the SDK's chat drops a turn that has a chunk
 * without one.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export const encodeStream = (context: WriteContext): EventEncoder => new StreamEncoder(context);
