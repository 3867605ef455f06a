import type { Citation, JsonObject } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  isObject,
  loseUnread,
  type Proof,
  type ReadContext,
  readObject,
  readText,
} from '../../../../../core/api/codec.ts';
import { readChoiceLogprobs } from '../../logprobs.ts';
import { readAnnotations } from '../../annotations.ts';
import { loseUnknownFinish, readFailedEnd, readFinish } from '../../finish.ts';
import { readDetails, type ReasoningDetail } from '../../reasoning-details.ts';
import { MESSAGE } from '../../shape.ts';
import { CallReader } from './call-reader.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { messageMembers, readContent, readImages } from './message.ts';
import { choiceMembers } from './response.ts';
import { ThinkTags, type Thought } from './think-tags.ts';

/** Reads one choice of a stream. The members of a delta are read in the order in which a model produces them. */
export class ChoiceReader {
  readonly #choice: number;
  readonly #context: ReadContext;
  readonly #answer: ChoiceWriter;
  readonly #calls: CallReader;
  readonly #tags: ThinkTags | undefined;
  #isFirst = true;
  #refused = false;
  readonly #proofOf = (value: string): Proof => ({ origin: this.#context.origin, value });

  constructor(context: ReadContext, choice: number, answer: ChoiceWriter) {
    this.#choice = choice;
    this.#context = context;
    this.#answer = answer;
    this.#calls = new CallReader(context, choice, answer);
    this.#tags = context.thinkTags === true ? new ThinkTags() : undefined;
  }

  get finished(): boolean {
    return this.#answer.finished;
  }

  /** The choice has content or a finish reason. */
  get produced(): boolean {
    return this.finished || this.#answer.count > 0;
  }

  /**
   * Reads the entry of one chunk.
   * @param sources what the response lists so far as the sources of its text
   * @throws GatewayError the failure that the vendor reports
   */
  read(entry: JsonObject, sources: readonly Citation[]): void {
    if (holdsError(entry)) throw decodeEmbeddedError(entry);
    if (this.finished) return;
    const reason = readText(entry['finish_reason']);
    // Members that a vendor adds are in the first or in the last chunk, and mostly in each one.
    if (this.#isFirst || reason !== '') this.#loseExtra(entry);
    this.#isFirst = false;
    if (isObject(entry['logprobs'])) this.#readLogprobs(entry['logprobs']);
    this.#readDelta(readObject(entry['delta']));
    const failure = readFailedEnd(reason);
    if (failure !== undefined) throw failure;
    if (reason === '') return;
    const { current } = this.#answer;
    if (current?.kind === 'text' && !current.hasCitations) current.cite(sources);
    this.finish(reason);
  }

  /** Ends the choice if it has not ended. */
  finish(reason: string): void {
    if (this.finished) return;
    if (this.#tags !== undefined) this.#writeThought(this.#tags.end());
    loseUnknownFinish(reason, this.#choice, this.#context.lose);
    this.#answer.finish(readFinish(reason, { calls: this.#answer.calls > 0, refusal: this.#refused }));
  }

  #loseExtra(entry: Readonly<JsonObject>): void {
    const place = `choices[${this.#choice}].`;
    loseUnread(entry, choiceMembers, this.#context.lose, place);
    loseUnread(readObject(entry['delta']), messageMembers, this.#context.lose, place + MESSAGE);
  }

  #readLogprobs(value: JsonObject): void {
    const { content, refusal } = readChoiceLogprobs(value);
    this.#answer.logprobs(content);
    if (refusal.length > 0) this.#answer.continue('refusal').addLogprobs(refusal);
  }

  #readDelta(delta: Readonly<JsonObject>): void {
    this.#readReasoning(delta);
    if (typeof delta['content'] === 'string') this.#readText(delta['content']);
    else this.#readBlocks(delta['content']);
    this.#readRefusal(readText(delta['refusal']));
    const citations = readAnnotations(delta['annotations']);
    if (citations.length > 0) this.#answer.continue('text').cite(citations);
    for (const { media } of readImages(delta['images'])) this.#answer.media(media);
    if (isObject(delta['audio']))
      this.#context.lose(`choices[${this.#choice}].message.audio`, 'dropped', 'streamed audio has no canonical form');
    this.#calls.read(delta);
  }

  /** `reasoning_details` with text repeat the plain text of the delta, which is then skipped. */
  #readReasoning(delta: Readonly<JsonObject>): void {
    const details = readDetails(delta['reasoning_details']);
    if (!details.some(({ text }) => text !== ''))
      this.#answer.reasoning(readText(delta['reasoning_content']) || readText(delta['reasoning']));
    for (const detail of details) this.#readDetail(detail);
  }

  #readDetail({ key, text, redacted, blob }: ReasoningDetail): void {
    if (redacted) {
      if (blob !== '') this.#answer.redacted({ ...this.#proofOf(blob), redacted: true });
      return;
    }
    this.#answer.reasoning(text, key);
    if (blob !== '') this.#answer.continue('reasoning', key).proof = this.#proofOf(blob);
  }

  #readText(content: string): void {
    if (this.#tags === undefined) this.#answer.text(content);
    else this.#writeThought(this.#tags.add(content));
  }

  #writeThought({ reasoning, text }: Thought): void {
    this.#answer.reasoning(reasoning);
    this.#answer.text(text);
  }

  #readBlocks(content: unknown): void {
    for (const part of readContent(content, this.#proofOf)) {
      if (part.type === 'text') this.#answer.text(part.text);
      else if (part.type === 'reasoning') {
        this.#answer.reasoning(part.text);
        if (part.proof !== undefined) this.#answer.continue('reasoning').proof = part.proof;
      } else if (part.type === 'refusal') this.#readRefusal(part.text);
      else if (part.type === 'opaque') this.#answer.opaque(part);
    }
  }

  #readRefusal(text: string): void {
    if (text === '') return;
    this.#refused = true;
    this.#answer.refusal(text);
  }
}
