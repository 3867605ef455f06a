import type { Citation, GatewayError, JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  type EmitEvent,
  isObject,
  loseUnread,
  BUFFERED_ENTRY_COST,
  type Proof,
  type ReadContext,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { readAnnotations } from '../../annotations.ts';
import { readFailedEnd, readFinish } from '../../finish-reason.ts';
import { readDetails, type ReasoningDetail } from '../../reasoning-details.ts';
import { MESSAGE } from '../../shape.ts';
import { CallReader } from './call-reader.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { messageMembers, readContent, readImages } from './message.ts';
import { type PartHead, PartWriter } from './part-writer.ts';
import { choiceMembers } from './response.ts';
import { type Thought, ThinkTags } from './think-tags.ts';

const TEXT: PartHead = { kind: 'text' };
const REFUSAL: PartHead = { kind: 'refusal' };
const REASONING: PartHead = { kind: 'reasoning' };

/** Reads one choice of a stream. The members of a delta are read in the order in which a model produces them. */
export class ChoiceReader {
  readonly #choice: number;
  readonly #context: ReadContext;
  readonly #parts: PartWriter;
  readonly #calls: CallReader;
  readonly #keep = createBufferLimit();
  readonly #tags: ThinkTags | undefined;
  #isFirst = true;
  #refused = false;
  #finished = false;
  readonly #proofOf = (value: string): Proof => ({ origin: this.#context.origin, value });

  constructor(choice: number, context: ReadContext) {
    this.#choice = choice;
    this.#context = context;
    this.#parts = new PartWriter(choice);
    this.#calls = new CallReader(choice, context, this.#parts);
    this.#tags = context.thinkTags === true ? new ThinkTags() : undefined;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** The choice has content or a finish reason. */
  get produced(): boolean {
    return this.#finished || this.#parts.count > 0;
  }

  /**
   * Reads the entry of one chunk. Returns an error when the vendor reports that the response failed.
   * @param sources what the response lists so far as the sources of its text
   */
  read(entry: JsonObject, emit: EmitEvent, sources: readonly Citation[]): GatewayError | undefined {
    if (holdsError(entry)) return decodeEmbeddedError(entry);
    if (this.#finished) return undefined;
    const reason = readText(entry['finish_reason']);
    // Members that a vendor adds are in the first or in the last chunk, and mostly in each one.
    if (this.#isFirst || reason !== '') this.#loseExtra(entry);
    this.#isFirst = false;
    this.#readDelta(readObject(entry['delta']), emit);
    const failure = readFailedEnd(reason);
    if (failure !== undefined) return failure;
    if (isObject(entry['logprobs']))
      this.#context.lose(
        `choices[${this.#choice}].logprobs`,
        'dropped',
        'log probabilities are not translated in streams',
      );
    if (reason !== '') {
      this.#parts.cite(sources);
      this.finish(reason, emit);
    }
    return undefined;
  }

  /** Ends the choice if it has not ended. */
  finish(reason: string, emit: EmitEvent): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#tags !== undefined) this.#writeThought(this.#tags.end(), emit);
    this.#parts.close(emit);
    this.#calls.close(emit);
    const held = { calls: this.#calls.count > 0, refusal: this.#refused };
    emit({ type: 'choice-end', choice: this.#choice, finish: readFinish(reason, held) });
  }

  #loseExtra(entry: Readonly<JsonObject>): void {
    const place = `choices[${this.#choice}].`;
    loseUnread(entry, choiceMembers, this.#context.lose, place);
    loseUnread(readObject(entry['delta']), messageMembers, this.#context.lose, place + MESSAGE);
  }

  #readDelta(delta: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#readReasoning(delta, emit);
    if (typeof delta['content'] === 'string') this.#readText(delta['content'], emit);
    else this.#readBlocks(delta['content'], emit);
    this.#readRefusal(readText(delta['refusal']), emit);
    this.#readCitations(readAnnotations(delta['annotations']), emit);
    for (const { media } of readImages(delta['images']))
      this.#parts.writeWhole({ kind: 'media', value: media }, undefined, emit);
    if (isObject(delta['audio']))
      this.#context.lose(`choices[${this.#choice}].message.audio`, 'dropped', 'streamed audio has no canonical form');
    this.#calls.read(delta, emit);
  }

  /** `reasoning_details` with text repeat the plain text of the delta, which is then skipped. */
  #readReasoning(delta: Readonly<JsonObject>, emit: EmitEvent): void {
    const details = readDetails(delta['reasoning_details']);
    if (!details.some(({ text }) => text !== '')) {
      const text = readText(delta['reasoning_content']) || readText(delta['reasoning']);
      this.#parts.write('reasoning', REASONING, text, emit);
    }
    for (const detail of details) this.#readDetail(detail, emit);
  }

  #readDetail({ key, text, redacted, blob }: ReasoningDetail, emit: EmitEvent): void {
    if (redacted) {
      if (blob !== '')
        this.#parts.writeWhole({ kind: 'reasoning', redacted }, { ...this.#proofOf(blob), redacted: true }, emit);
      return;
    }
    this.#parts.write(key, REASONING, text, emit);
    if (blob !== '') this.#parts.open(key, REASONING, emit).proof = this.#proofOf(blob);
  }

  #readText(content: string, emit: EmitEvent): void {
    if (this.#tags === undefined) this.#parts.write('text', TEXT, content, emit);
    else this.#writeThought(this.#tags.add(content), emit);
  }

  #writeThought({ reasoning, text }: Thought, emit: EmitEvent): void {
    this.#parts.write('reasoning', REASONING, reasoning, emit);
    this.#parts.write('text', TEXT, text, emit);
  }

  #readBlocks(content: unknown, emit: EmitEvent): void {
    for (const part of readContent(content, this.#proofOf)) {
      if (part.type === 'text') this.#parts.write('text', TEXT, part.text, emit);
      else if (part.type === 'reasoning') {
        this.#parts.write('reasoning', REASONING, part.text, emit);
        if (part.proof !== undefined) this.#parts.open('reasoning', REASONING, emit).proof = part.proof;
      } else this.#parts.writeWhole({ kind: 'opaque', value: part }, undefined, emit);
    }
  }

  #readRefusal(text: string, emit: EmitEvent): void {
    if (text === '') return;
    this.#refused = true;
    this.#parts.write('refusal', REFUSAL, text, emit);
  }

  #readCitations(citations: readonly Citation[], emit: EmitEvent): void {
    if (citations.length === 0) return;
    const part = this.#parts.open('text', TEXT, emit);
    this.#keep(citations.length * BUFFERED_ENTRY_COST);
    part.citations ??= [];
    part.citations.push(...citations);
  }
}
