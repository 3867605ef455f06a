import {
  createEventDecoder,
  isObject,
  parseExactJson,
  type EventDecoder,
  type EventWriter,
  type Frame,
  type FrameReader,
  type ReadContext,
} from '../../../../../core/api/codec.ts';
import type { LateCitation } from './candidate-reader.ts';
import { malformedChunk } from './error.ts';
import { ResponseReader } from './response-reader.ts';
import { citedMembers } from './response.ts';

class StreamReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #reader: ResponseReader;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#reader = new ResponseReader(context, events);
  }

  push(frame: Frame): void {
    if (frame.data === '[DONE]') return;
    const chunk = parseExactJson(frame.data);
    if (!isObject(chunk)) throw malformedChunk();
    this.#reader.read(chunk);
  }

  end(): void {
    if (!this.#reader.finished) return;
    this.#loseExtra();
    this.#loseLateCitations(this.#reader.end());
  }

  /** Stream events cannot hold extra members. */
  #loseExtra(): void {
    for (const name of Object.keys(this.#reader.extra))
      this.#context.lose(name, 'dropped', 'translated streams do not have it');
    for (const [index, { extra }] of this.#reader.candidates)
      for (const name of Object.keys(extra)) {
        const field = `candidates[${index}].${name}`;
        if (citedMembers.includes(name))
          this.#context.lose(field, 'approximated', 'translated streams have only its citations');
        else this.#context.lose(field, 'dropped', 'translated streams do not have it');
      }
  }

  #loseLateCitations(late: ReadonlyMap<number, readonly LateCitation[]>): void {
    for (const [index, citations] of late)
      if (citations.length > 0)
        this.#context.lose(
          `candidates[${index}].groundingMetadata`,
          'approximated',
          'some citations arrived after their text had ended',
        );
  }
}

/**
 * Decodes the stream of this wire. The wire has no terminal event: a stream is complete when its bytes end and every
 * candidate has a finish reason.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export const decodeStream = (context: ReadContext): EventDecoder =>
  createEventDecoder((events) => new StreamReader(context, events));
