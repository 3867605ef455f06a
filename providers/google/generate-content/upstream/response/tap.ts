import { GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  createBufferLimit,
  emptyResponse,
  type Frame,
  isObject,
  BUFFERED_ENTRY_COST,
  type ObservedSoFar,
  parseJson,
  readObject,
  readObjects,
  readText,
  type Tap,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { weighText } from '../../../../../core/api/internal.ts';
import { encodeErrorBody } from '../../client/response/error.ts';
import { readBlockedPrompt, readFinish, readFinishReason } from '../../finish.ts';
import { decodeEmbeddedError, hasError, malformedChunk } from './error.ts';
import { UsageReader } from '../../usage.ts';

/** The weight of text and arguments. */
const weighPart = (part: JsonObject): number => {
  const { name, args, partialArgs } = readObject(part['functionCall']);
  const input = args ?? partialArgs;
  return (
    weighText(readText(part['text'])) +
    weighText(readText(name)) +
    (input === undefined ? 0 : weighText(JSON.stringify(input)))
  );
};

/** Whether the SDK of this wire fails on the error of a chunk: it does by its code. */
const isShown = ({ error }: JsonObject): boolean => {
  const { code } = readObject(error);
  return typeof code === 'number' && code >= 400 && code < 600;
};

/** Whether the client can see anything of a part. An empty text is not visible, unless it has a signature. */
const isVisible = (part: JsonObject): boolean =>
  Object.entries(part).some(([name, value]) => name !== 'thought' && value !== '' && value !== null);

class GenerateContentTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  /** By the index of the candidate: whether it has a finish reason. */
  readonly #finished = new Map<number, boolean>();
  /** Candidates with calls. */
  readonly #calling = new Set<number>();
  readonly #keep = createBufferLimit();
  readonly #usage: UsageReader;
  #isBlocked = false;
  #hasContent = false;
  /** Content or a finish reason was received. */
  #produced = false;

  constructor(billsOneSearch: boolean | undefined) {
    this.#usage = new UsageReader(billsOneSearch);
  }

  inspectFrame(frame: Frame): Verdict {
    if (frame.data === '') return this.#hasContent ? 'pass' : 'hold';
    // Servers that imitate this wire end it as OpenAI does. The SDK of this wire throws on that.
    if (frame.data === '[DONE]') return 'withhold';
    const chunk = parseJson(frame.data);
    const visible = isObject(chunk) && this.#readChunk(chunk);
    if (!isObject(chunk)) this.observed.error = malformedChunk();
    if (this.observed.error !== undefined) return 'error';
    this.#hasContent ||= visible;
    if (visible) return 'content';
    return this.#hasContent ? 'pass' : 'hold';
  }

  inspectBody(body: unknown): void {
    if (!isObject(body)) {
      this.observed.error = malformedChunk();
      return;
    }
    this.#readChunk(body);
    if (!this.#produced && !this.#isBlocked) this.observed.error ??= emptyResponse();
  }

  end(): GatewayError | undefined {
    return this.observed.error ?? (this.#isComplete() ? undefined : new GatewayError('upstream_truncated'));
  }

  fail(error: GatewayError, write: WriteFrame): void {
    write(undefined, JSON.stringify(encodeErrorBody(error)));
  }

  #isComplete(): boolean {
    return this.#finished.size > 0 ? [...this.#finished.values()].every(Boolean) : this.#isBlocked;
  }

  /** Reads a chunk or a plain response. Returns whether the client can see anything of it. */
  #readChunk(chunk: JsonObject): boolean {
    const candidates = readObjects(chunk['candidates']);
    const usage = this.#usage.read(chunk, candidates);
    if (usage !== undefined) this.observed.usage = usage;
    const model = readText(chunk['modelVersion']);
    if (model !== '') this.observed.model ??= model;
    if (hasError(chunk)) {
      const error = decodeEmbeddedError(chunk);
      this.observed.error = isShown(chunk) ? error : withoutVendor(error);
      return false;
    }
    this.#readPromptFeedback(chunk['promptFeedback']);
    let visible = false;
    for (const candidate of candidates) if (this.#readCandidate(candidate)) visible = true;
    return visible;
  }

  #readPromptFeedback(feedback: unknown): void {
    const block = readBlockedPrompt(feedback);
    if (block === undefined || this.#finished.size > 0) return;
    this.#isBlocked = true;
    this.observed.finish = block;
  }

  #readCandidate(candidate: JsonObject): boolean {
    const { finishReason, finishMessage } = candidate;
    const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0;
    const parts = readObjects(readObject(candidate['content'])['parts']);
    for (const part of parts) this.#countPart(part, index);
    const reason = readFinishReason(finishReason);
    if (!this.#finished.has(index)) this.#keep(BUFFERED_ENTRY_COST);
    this.#finished.set(index, reason !== '' || this.#finished.get(index) === true);
    if (reason !== '') this.observed.finish = readFinish(reason, { calls: this.#calling.has(index) }, finishMessage);
    const visible = parts.some(isVisible);
    this.#produced ||= visible || reason !== '';
    return visible;
  }

  #countPart(part: JsonObject, index: number): void {
    this.observed.outputChars += weighPart(part);
    if (part['thought'] === true) this.observed.reasoned = true;
    if (part['functionCall'] !== undefined) this.#calling.add(index);
  }
}

/** Watches a native response of this wire. The wire has no terminal event: a stream ends with its bytes. */
export const createTap = (billsOneSearch?: boolean): Tap => new GenerateContentTap(billsOneSearch);
