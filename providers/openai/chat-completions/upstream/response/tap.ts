import { GatewayError, type GenerateRequest, type JsonObject, type Usage } from '../../../../../core/api/index.ts';
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
  readObject,
  readObjects,
  readText,
  type ResponseEdit,
  type Tap,
  type TargetProfile,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { FrameTemplate, type Varying, weighText } from '../../../../../core/api/internal.ts';
import { writeError } from '../../client/response/error.ts';
import { readFailedEnd, readFinish } from '../../finish.ts';
import { DONE } from '../../shape.ts';
import { correctUsage, createUsageReader, markEstimated, usageNames, writeUsage } from '../../usage.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { readIndex } from './response.ts';
import { readChunkError } from './stream.ts';
import { weighMessage, type Weight } from './weigh-message.ts';

/** The text of a chunk that holds nothing else, for a `FrameTemplate`; `undefined` for any other chunk. */
function readVarying({ choices, usage, x_groq: groq, obfuscation }: JsonObject): Varying | undefined {
  const list = readList(choices);
  const choice = readObject(list[0]);
  const delta = readObject(choice['delta']);
  const text = delta['content'];
  if (list.length !== 1 || typeof text !== 'string' || isObject(usage) || groq !== undefined) return undefined;
  if (readText(choice['finish_reason']) !== '' || holdsError(choice)) return undefined;
  for (const name of Object.keys(delta)) {
    const isSilent = name === 'content' || name === 'role' || delta[name] === null || delta[name] === '';
    if (!isSilent) return undefined;
  }
  return { text, padding: typeof obfuscation === 'string' ? obfuscation : undefined };
}

/**
 * The failure that an entry of `choices` reports. Clients of this wire look for errors at the top of a chunk only, so
 * the error is returned without the vendor's frame and the gateway writes its own.
 */
const readFailure = (choice: JsonObject, reason: string): GatewayError | undefined =>
  holdsError(choice) ? withoutVendor(decodeEmbeddedError(choice)) : readFailedEnd(reason);

/** Whether clients of this wire fail on the error of a chunk: an object with a message, at the top. */
const isShown = ({ error }: JsonObject): boolean => readText(readObject(error)['message']) !== '';

/** A wire whose responses have `choices`. */
export interface ChoicesForm {
  /** `object` of a chunk. */
  readonly chunk: string;
  weigh(choice: JsonObject, isChunk: boolean): Weight;
  /** See `FrameTemplate`. Absent: each chunk is parsed. */
  readVarying?(chunk: JsonObject): Varying | undefined;
}

const chat: ChoicesForm = {
  chunk: 'chat.completion.chunk',
  weigh: (choice, isChunk) => weighMessage(readObject(choice[isChunk ? 'delta' : 'message'])),
  readVarying,
};

export type TapSettings = Pick<TargetProfile, 'omitsFinish' | 'keepsUsage'>;

/** Watches a response that is relayed unchanged, except for its usage. */
export class ChoicesTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  edits: readonly ResponseEdit[] | undefined;
  readonly #form: ChoicesForm;
  readonly #request: GenerateRequest;
  readonly #omitsFinish: boolean;
  readonly #keepsUsage: boolean;
  readonly #readUsage = createUsageReader();
  /** Which choices have finished, by index. */
  readonly #finished = new Map<number, boolean>();
  /** Indices of choices with a tool call. */
  readonly #called = new Set<number>();
  readonly #template = new FrameTemplate();
  readonly #keep = createBufferLimit();
  #done = false;
  /** The client has been shown something. */
  #content = false;
  /** The first chunk, whose id, time and model the others repeat. */
  #first: Readonly<JsonObject> | undefined;
  #hasUsage = false;

  constructor(
    form: ChoicesForm,
    request: GenerateRequest,
    { omitsFinish = false, keepsUsage = false }: TapSettings = {},
  ) {
    this.#form = form;
    this.#request = request;
    this.#omitsFinish = omitsFinish;
    this.#keepsUsage = keepsUsage;
  }

  inspectFrame(frame: Frame): Verdict {
    this.edits = undefined;
    if (this.#template.match(frame)) {
      this.observed.outputChars += weighText(this.#template.text);
      return 'content';
    }
    if (frame.data === DONE) return this.#seeDone();
    if (frame.data === '') return this.#content ? 'pass' : 'hold';
    const chunk = parseJson(frame.data);
    if (!isObject(chunk)) return this.#reject(malformedFrame());
    const error = readChunkError(chunk, frame.event);
    if (error !== undefined) {
      this.#observe(chunk);
      return this.#reject(isShown(chunk) ? error : withoutVendor(error));
    }
    const varying = this.#form.readVarying?.(chunk);
    if (varying !== undefined) this.#template.learn(frame, varying);
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
    for (const choice of readList(body['choices'])) {
      if (!isObject(choice)) continue;
      const reason = readText(choice['finish_reason']);
      const shows = this.#seeChoice(choice, reason, false);
      this.#content ||= shows || reason !== '';
      const failure = readFailure(choice, reason);
      if (failure !== undefined) this.observed.error = failure;
    }
    if (!this.#content) this.observed.error ??= emptyResponse();
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
    write(undefined, JSON.stringify({ id, object: this.#form.chunk, created, model, choices: [], ...members }));
    return [];
  }

  fail(error: GatewayError, write: WriteFrame): void {
    writeError(error, write);
  }

  #seeDone(): Verdict {
    this.#done = [...this.#finished.values()].some(Boolean) || (this.#omitsFinish && this.#content);
    if (this.#done) return 'end';
    return this.#reject(this.#content ? new GatewayError('upstream_truncated') : emptyResponse());
  }

  #seeChunk(chunk: JsonObject): Verdict {
    this.#observe(chunk);
    const choices = readObjects(chunk['choices']);
    if (choices.length === 0 && isObject(chunk['usage']) && !this.#request.includeUsage) return 'withhold';
    let failure: GatewayError | undefined;
    let shows = false;
    for (const choice of choices) {
      const reason = readText(choice['finish_reason']);
      if (this.#seeChoice(choice, reason, true)) shows = true;
      failure ??= readFailure(choice, reason);
    }
    if (failure !== undefined) return this.#reject(failure);
    this.#content ||= shows;
    if (shows) return 'content';
    return this.#content ? 'pass' : 'hold';
  }

  /** Returns whether the client is shown something. */
  #seeChoice(choice: JsonObject, reason: string, isChunk: boolean): boolean {
    const index = readIndex(choice);
    const { chars, reasons, calls, refuses, shows } = this.#form.weigh(choice, isChunk);
    this.observed.outputChars += chars;
    if (reasons) this.observed.reasoned = true;
    if (calls) this.#called.add(index);
    if (!this.#finished.has(index)) this.#keep(BUFFERED_ENTRY_COST);
    this.#finished.set(index, this.#finished.get(index) === true || reason !== '');
    if (reason !== '')
      this.observed.finish ??= readFinish(reason, { calls: this.#called.has(index), refusal: refuses });
    return shows;
  }

  /** Usage and model, which any chunk can have. */
  #observe(response: JsonObject): void {
    this.#first ??= response;
    const usage = this.#readUsage(response);
    if (usage !== undefined) this.observed.usage = usage;
    const { usage: raw } = response;
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

export const createTap = (request: GenerateRequest, settings?: TapSettings): Tap =>
  new ChoicesTap(chat, request, settings);
