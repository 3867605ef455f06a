import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, parseJson, type Frame } from '../../../../core/api/codec.ts';

/** https://ai.google.dev/api/generate-content#FinishReason */
const finishReasons: ReadonlySet<unknown> = new Set([
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'CONTINUATION',
  'MALFORMED_RESPONSE',
]);
const dataMembers = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];
const sumOfCounts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount'];

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

class GenerateContentGrammar {
  readonly problems: string[] = [];
  readonly #includeUsage: boolean;
  /** Whether each candidate has finished. */
  readonly #candidates = new Map<unknown, boolean>();
  #at = 0;
  #head: string | undefined;
  #blocked = false;
  #usageSeen = false;
  #terminal: string | undefined;

  constructor(includeUsage: boolean) {
    this.#includeUsage = includeUsage;
  }

  see(frame: Frame): void {
    if (frame.event !== undefined) this.#problem(`an event name: ${frame.event}`);
    if (this.#terminal !== undefined) this.#problem(`data after ${this.#terminal}`);
    const chunk = parseJson(frame.data);
    if (!isObject(chunk)) this.#problem(`the data is no JSON object: ${frame.data.slice(0, 40)}`);
    else if (chunk['error'] !== undefined) this.#fail(chunk['error']);
    else this.#chunk(chunk);
    this.#at++;
  }

  end(): readonly string[] {
    if (this.#terminal === 'the error') return this.problems;
    if (!this.#blocked && this.#candidates.size === 0) this.#problem('the stream ends without a candidate or an error');
    for (const [index, finished] of this.#candidates)
      if (!finished) this.#problem(`the stream ends before candidate ${String(index)} finished`);
    if (this.#includeUsage && !this.#usageSeen) this.#problem('the last chunk has no usageMetadata');
    return this.problems;
  }

  #problem(text: string): void {
    this.problems.push(`frame ${this.#at}: ${text}`);
  }

  /** The SDK throws only for a whole number between 400 and 599. */
  #fail(error: unknown): void {
    const code = isObject(error) ? Number.isSafeInteger(error['code']) && Number(error['code']) : false;
    if (
      !isObject(error) ||
      code === false ||
      code < 400 ||
      code > 599 ||
      typeof error['message'] !== 'string' ||
      typeof error['status'] !== 'string'
    )
      this.#problem('an error without a numeric code, message and status');
    this.#terminal = 'the error';
  }

  #chunk(chunk: JsonObject): void {
    const { candidates, promptFeedback: feedback, responseId: id, modelVersion: model, usageMetadata: usage } = chunk;
    if (!id || typeof id !== 'string' || !model || typeof model !== 'string')
      this.#problem('responseId and modelVersion are needed');
    const head = JSON.stringify([id, model]);
    if ((this.#head ??= head) !== head) this.#problem('responseId and modelVersion must be the same on every chunk');
    if (isObject(feedback) && feedback['blockReason'] !== undefined) this.#block(feedback);
    if (Array.isArray(candidates) && candidates.length > 0)
      for (const candidate of candidates) {
        // Before another candidate, the first can stand without anything: some clients read only the first of a chunk.
        if (candidates.length > 1 && isDeepStrictEqual(candidate, { index: 0 })) continue;
        this.#candidate(isObject(candidate) ? candidate : {});
      }
    else if (!this.#blocked) this.#problem('a chunk without candidates');
    this.#usageSeen = isObject(usage);
    if (isObject(usage)) this.#usage(usage);
    if (this.#blocked) this.#terminal = 'the block';
  }

  #block({ blockReason: reason }: JsonObject): void {
    if (!reason || typeof reason !== 'string') this.#problem('a block without a reason');
    if (this.#candidates.size > 0) this.#problem('a blocked prompt after content');
    this.#blocked = true;
  }

  #usage(usage: JsonObject): void {
    const counts = sumOfCounts.map((name) => usage[name] ?? 0);
    if (!isCount(usage['promptTokenCount']) || ![...counts, usage['cachedContentTokenCount'] ?? 0].every(isCount))
      this.#problem('usageMetadata without counts');
    else if (usage['totalTokenCount'] !== counts.reduce<number>((sum, count) => sum + Number(count), 0))
      this.#problem('totalTokenCount is not the sum of the counts');
  }

  #candidate({ index, content, finishReason: finish }: JsonObject): void {
    if (!Number.isSafeInteger(index)) this.#problem('a candidate without an index');
    if (this.#candidates.get(index) === true) this.#problem(`candidate ${String(index)} goes on after it finished`);
    const finished = finish !== undefined && finish !== null;
    if (finished && !finishReasons.has(finish)) this.#problem(`an unknown finishReason: ${String(finish)}`);
    this.#candidates.set(index, finished);
    if (!isObject(content) || content['role'] !== 'model')
      return this.#problem(`candidate ${String(index)} has no content of role model`);
    const { parts } = content;
    if (!Array.isArray(parts) || parts.length === 0) return this.#problem(`candidate ${String(index)} has no parts`);
    for (const part of parts) this.#part(isObject(part) ? part : {}, finished);
    return undefined;
  }

  #part(part: JsonObject, last: boolean): void {
    const members = dataMembers.filter((name) => part[name] !== undefined);
    const { text, thoughtSignature: signature } = part;
    if (members.length > 1) this.#problem(`a part with ${members.join(' and ')}`);
    if (members.length === 0 && Object.keys(part).length === 0) this.#problem('a part with nothing in it');
    if (text !== undefined && typeof text !== 'string') this.#problem('a text part without text');
    if (text === '' && !last && signature === undefined) this.#problem('an empty text part before the last chunk');
    if (signature !== undefined && (typeof signature !== 'string' || signature === ''))
      this.#problem('a thoughtSignature without text');
    if (part['functionCall'] !== undefined) this.#call(part['functionCall']);
  }

  #call(call: unknown): void {
    if (!isObject(call) || !call['name'] || typeof call['name'] !== 'string' || !isObject(call['args']))
      return this.#problem('a functionCall without a name or an object of args');
    if (call['id'] !== undefined && (typeof call['id'] !== 'string' || call['id'] === ''))
      this.#problem('a functionCall with an empty id');
    if (call['partialArgs'] !== undefined || call['willContinue'] !== undefined)
      this.#problem('a functionCall in pieces');
    return undefined;
  }
}

/**
 * Returns what is wrong with a generate-content stream for clients, in either framing; empty if nothing is.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export const checkGenerateContentFrames = (
  frames: readonly Frame[],
  { includeUsage = false }: { readonly includeUsage?: boolean } = {},
): readonly string[] => {
  const grammar = new GenerateContentGrammar(includeUsage);
  for (const frame of frames) if (frame.data !== '') grammar.see(frame);
  return grammar.end();
};
