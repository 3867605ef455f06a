import type { Finish, JsonObject, Media, OpaquePart, TokenLogprob } from '../../../../../core/api/index.ts';
import {
  type PartDelta,
  type PartEnd,
  type PartKind,
  type PartStart,
  sealProof,
  type WriteContext,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { countCodePoints } from '../../../../../core/api/internal.ts';
import { writeLogprobs } from '../../logprobs.ts';
import { writeAnnotations } from '../../annotations.ts';
import { isLegacy } from '../../request-form.ts';
import { writeMediaUrl } from '../../media.ts';
import { writeDetail } from '../../reasoning-details.ts';
import { sealCallId } from '../../sealed-ids.ts';
import { loseOpaque } from '../../web-search.ts';
import { type ChunkWriter, writeCallProof } from './response.ts';

/** A part that is being written. */
interface OpenPart {
  readonly start: PartStart;
  /** Counts the parts of its kind (calls, reasoning, images) from 0 without gaps. */
  readonly index: number;
  /** Code points of the content before this part, for citations. */
  readonly from: number;
  empty: boolean;
}

const writeCallHead = ({ call }: PartStart, index: number): JsonObject => {
  const { id: plain = '', name = '', kind = 'function', proof } = call ?? {};
  const id = sealCallId(plain, proof);
  return kind === 'custom'
    ? { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] }
    : { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
};
/** Every fragment of a call has arguments, if only empty ones: some clients read them without a check. */
const writeCallInput = ({ start: { call }, index }: OpenPart, text: string, others: JsonObject = {}): JsonObject =>
  call?.kind === 'custom'
    ? { tool_calls: [{ index, custom: { input: text }, ...others }] }
    : { tool_calls: [{ index, function: { arguments: text }, ...others }] };

/** Writes the parts of one choice as deltas. */
export class ChoiceWriter {
  readonly #choice: number;
  /** The message in the names of losses, which are those of a plain response. */
  readonly #path: string;
  readonly #chunks: ChunkWriter;
  readonly #lose: WriteContext['lose'];
  /** The client reads `function_call`, which holds one call. */
  readonly #legacy: boolean;
  /** The client has excluded reasoning. */
  readonly #hidden: boolean;
  /** The client has asked for log probabilities. Some vendors send them without being asked. */
  readonly #showsLogprobs: boolean;
  readonly #open = new Map<number, OpenPart>();
  readonly #counts: Partial<Record<PartKind, number>> = {};
  /** Code points of the content. */
  #written = 0;
  readonly #annotations: JsonObject[] = [];
  #refused = false;

  constructor(choice: number, chunks: ChunkWriter, { request, lose }: WriteContext) {
    this.#choice = choice;
    this.#path = `choices[${choice}].message`;
    this.#chunks = chunks;
    this.#lose = lose;
    this.#legacy = isLegacy(request);
    this.#hidden = request.reasoning?.show === false;
    this.#showsLogprobs = request.logprobs !== undefined;
  }

  start(event: PartStart, write: WriteFrame): void {
    const index = this.#counts[event.kind] ?? 0;
    this.#counts[event.kind] = index + 1;
    this.#open.set(event.part, { start: { ...event, value: undefined }, index, from: this.#written, empty: true });
    switch (event.kind) {
      case 'tool-call':
        return this.#startCall(event, index, write);
      case 'media':
        return this.#writeMedia(event.value as Media, index, write);
      case 'opaque':
        return loseOpaque(event.value as OpaquePart, this.#path, this.#lose);
      default:
        return undefined;
    }
  }

  delta({ part: handle, text, logprobs }: PartDelta, write: WriteFrame): void {
    const part = this.#open.get(handle);
    const tokens = this.#showsLogprobs ? logprobs : undefined;
    if (part === undefined || (text === '' && tokens === undefined)) return undefined;
    part.empty = false;
    switch (part.start.kind) {
      case 'text':
        return this.#writeText(text, write, tokens);
      case 'refusal':
        return this.#writeRefusal(text, write, tokens);
      case 'reasoning':
        return this.#writeReasoning(part, text, write);
      case 'tool-call':
        return this.#writeInput(part, text, write);
      default:
        return undefined;
    }
  }

  end(event: PartEnd, write: WriteFrame): void {
    const part = this.#open.get(event.part);
    switch (part?.start.kind) {
      case 'text':
        return this.#endText(part, event);
      case 'reasoning':
        return this.#endReasoning(part, event, write);
      case 'tool-call':
        return this.#endCall(part, event, write);
      default:
        return undefined;
    }
  }

  /**
   * Writes what comes before the finish reason: the citations of all texts, since clients keep one list or refuse a
   * second, and the vendor's explanation of a refusal, where the model gave none itself.
   */
  finish({ explanation = '' }: Finish, write: WriteFrame): void {
    if (this.#annotations.length > 0) this.#send({ annotations: this.#annotations }, write);
    if (!this.#refused && explanation !== '') this.#send({ refusal: explanation }, write);
  }

  #startCall(event: PartStart, index: number, write: WriteFrame): void {
    if (!this.#legacy) this.#send(writeCallHead(event, index), write);
    else if (index === 0) this.#send({ function_call: { name: event.call?.name ?? '', arguments: '' } }, write);
    else this.#lose(`${this.#path}.function_call`, 'dropped', 'function_call holds one call; the others are left out');
  }

  #writeMedia(media: Media, index: number, write: WriteFrame): void {
    const url = media.mediaType.startsWith('image/') ? writeMediaUrl(media) : undefined;
    if (url === undefined)
      this.#lose(`${this.#path}.images`, 'dropped', 'responses of chat-completions hold no media but images');
    else this.#send({ images: [{ index, type: 'image_url', image_url: { url } }] }, write);
  }

  #writeText(text: string, write: WriteFrame, tokens?: readonly TokenLogprob[]): void {
    this.#written += countCodePoints(text);
    const logprobs = tokens === undefined ? null : { content: writeLogprobs(tokens), refusal: null };
    this.#chunks.delta(this.#choice, { content: text }, write, logprobs);
  }

  #writeRefusal(text: string, write: WriteFrame, tokens?: readonly TokenLogprob[]): void {
    this.#refused = true;
    const logprobs = tokens === undefined ? null : { content: null, refusal: writeLogprobs(tokens) };
    this.#chunks.delta(this.#choice, { refusal: text }, write, logprobs);
  }

  #writeReasoning({ index }: OpenPart, text: string, write: WriteFrame): void {
    if (this.#hidden) return;
    this.#send({ reasoning_content: text, reasoning_details: [writeDetail(index, { text }, sealProof)] }, write);
  }

  #writeInput(part: OpenPart, text: string, write: WriteFrame): void {
    if (!this.#legacy) this.#send(writeCallInput(part, text), write);
    else if (part.index === 0) this.#send({ function_call: { arguments: text } }, write);
  }

  #endText({ from }: OpenPart, { citations = [], proof }: PartEnd): void {
    if (proof !== undefined && !this.#hidden)
      this.#lose(`${this.#path}.content`, 'dropped', 'chat-completions has no signature on texts');
    const lost = () =>
      this.#lose(`${this.#path}.annotations`, 'dropped', 'chat-completions has no citation without a URL');
    this.#annotations.push(...writeAnnotations(citations, { from, to: this.#written }, lost));
  }

  #endReasoning({ index, start }: OpenPart, { proof }: PartEnd, write: WriteFrame): void {
    if (proof === undefined || this.#hidden) return;
    const detail = writeDetail(index, { redacted: start.redacted === true, proof }, sealProof);
    this.#send({ reasoning_details: [detail] }, write);
  }

  #endCall(part: OpenPart, { proof }: PartEnd, write: WriteFrame): void {
    if (part.empty && part.start.call?.kind !== 'custom') this.#writeInput(part, '{}', write);
    if (proof !== undefined && !this.#legacy) this.#send(writeCallInput(part, '', writeCallProof(proof)), write);
  }

  #send(delta: JsonObject, write: WriteFrame): void {
    this.#chunks.delta(this.#choice, delta, write);
  }
}
