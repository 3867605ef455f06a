import { GatewayError, type GenerateRequest, type JsonObject, type Usage } from '../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  createBufferLimit,
  emptyResponse,
  type Frame,
  isObject,
  malformedBody,
  malformedFrame,
  type ObservedSoFar,
  parseJson,
  readList,
  readText,
  type ResponseEdit,
  type Tap,
  type TargetProfile,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../core/api/codec.ts';
import { weighText } from '../../../../core/api/internal.ts';
import { describeError } from '../../chat-completions/client/response/error.ts';
import { DONE } from '../../chat-completions/shape.ts';
import { decodeEmbeddedError, holdsError } from '../../chat-completions/upstream/response/error.ts';
import { readChunkError } from '../../chat-completions/upstream/response/stream.ts';
import { readFailedEnd, readFinish } from '../finish.ts';
import { correctUsage, createUsageReader, markEstimated, usageNames, writeUsage } from '../usage.ts';

const NOTHING_HELD = { calls: false, refusal: false } as const;

type TapSettings = Pick<TargetProfile, 'omitsFinish' | 'keepsUsage'>;

/** Watches a response that is relayed unchanged, except for its usage. */
class CompletionTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  edits: readonly ResponseEdit[] | undefined;
  readonly #request: GenerateRequest;
  readonly #omitsFinish: boolean;
  readonly #keepsUsage: boolean;
  readonly #readUsage = createUsageReader();
  /** Which choices have finished, by index. */
  readonly #finished = new Map<number, boolean>();
  readonly #keep = createBufferLimit();
  #done = false;
  /** The client has been shown text. */
  #content = false;
  /** The first chunk, whose id, time and model the others repeat. */
  #first: Readonly<JsonObject> | undefined;
  #hasUsage = false;

  constructor(request: GenerateRequest, { omitsFinish = false, keepsUsage = false }: TapSettings) {
    this.#request = request;
    this.#omitsFinish = omitsFinish;
    this.#keepsUsage = keepsUsage;
  }

  inspectFrame(frame: Frame): Verdict {
    this.edits = undefined;
    if (frame.data === DONE) return this.#seeDone();
    if (frame.data === '') return this.#content ? 'pass' : 'hold';
    const chunk = parseJson(frame.data);
    if (!isObject(chunk)) return this.#reject(malformedFrame());
    this.#observe(chunk);
    const error = readChunkError(chunk, frame.event);
    if (error !== undefined) return this.#reject(error);
    return this.#seeChunk(chunk);
  }

  inspectBody(body: unknown): void {
    if (!isObject(body)) {
      this.observed.error = malformedBody('is not a JSON object');
      return;
    }
    this.#observe(body);
    if (holdsError(body)) this.observed.error = decodeEmbeddedError(body);
    else if (!Array.isArray(body['choices'])) this.observed.error = malformedBody('has no choices');
    let isAnswered = false;
    for (const choice of readList(body['choices']).filter(isObject)) {
      isAnswered = this.#seeChoice(choice) || readText(choice['finish_reason']) !== '' || isAnswered;
      this.observed.error ??= this.#failureOf(choice);
    }
    if (!isAnswered) this.observed.error ??= emptyResponse();
  }

  end(): GatewayError | undefined {
    if (this.#done || (this.#finished.size > 0 && [...this.#finished.values()].every(Boolean))) return undefined;
    return new GatewayError('upstream_truncated');
  }

  complete(usage: Usage, write: WriteFrame): readonly ResponseEdit[] {
    const { stream, includeUsage } = this.#request;
    if (this.#keepsUsage || this.#hasUsage || (stream && !includeUsage)) return [];
    const members = { usage: writeUsage(usage), ...markEstimated(usage) };
    if (!stream) return Object.entries(members).map(([member, value]) => ({ member, value }));
    const { id, created, model } = this.#first ?? {};
    write(undefined, JSON.stringify({ id, object: 'text_completion', created, model, choices: [], ...members }));
    return [];
  }

  fail(error: GatewayError, write: WriteFrame): void {
    write(undefined, JSON.stringify(describeError(error)));
  }

  #seeDone(): Verdict {
    this.#done = [...this.#finished.values()].some(Boolean) || (this.#omitsFinish && this.#content);
    if (this.#done) return 'end';
    return this.#reject(this.#content ? new GatewayError('upstream_truncated') : emptyResponse());
  }

  #seeChunk(chunk: JsonObject): Verdict {
    const choices = readList(chunk['choices']).filter(isObject);
    if (choices.length === 0 && isObject(chunk['usage']) && !this.#request.includeUsage) return 'withhold';
    let shows = false;
    let failure: GatewayError | undefined;
    for (const choice of choices) {
      shows = this.#seeChoice(choice) || shows;
      failure ??= this.#failureOf(choice);
    }
    if (failure !== undefined) return this.#reject(failure);
    this.#content ||= shows;
    if (shows) return 'content';
    return this.#content ? 'pass' : 'hold';
  }

  /** Returns whether the client is shown text. */
  #seeChoice(choice: JsonObject): boolean {
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
    const reason = readText(choice['finish_reason']);
    const text = readText(choice['text']);
    this.observed.outputChars += weighText(text);
    if (!this.#finished.has(index)) this.#keep(BUFFERED_ENTRY_COST);
    this.#finished.set(index, this.#finished.get(index) === true || reason !== '');
    if (reason !== '') this.observed.finish ??= readFinish(reason, NOTHING_HELD);
    return text !== '';
  }

  /** The error that an entry of `choices` reports, which clients look for at the top of a chunk only. */
  #failureOf(choice: JsonObject): GatewayError | undefined {
    if (holdsError(choice)) return withoutVendor(decodeEmbeddedError(choice));
    return readFailedEnd(readText(choice['finish_reason']));
  }

  /** Usage and model, which any chunk can have. */
  #observe(response: JsonObject): void {
    this.#first ??= response;
    const usage = this.#readUsage(response);
    const { usage: raw } = response;
    if (usage !== undefined) this.observed.usage = usage;
    if (usage !== undefined && isObject(raw)) {
      this.#hasUsage = true;
      const value = this.#keepsUsage ? undefined : correctUsage(raw, usage, usageNames);
      if (value !== undefined) this.edits = [{ member: 'usage', value }];
    }
    const model = readText(response['model']);
    if (this.observed.model === undefined && model !== '') this.observed.model = model;
  }

  #reject(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }
}

export const createTap = (request: GenerateRequest, settings: TapSettings = {}): Tap =>
  new CompletionTap(request, settings);
