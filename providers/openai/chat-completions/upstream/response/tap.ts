import {
  createKeptLimit,
  emptyAnswer,
  type Finish,
  type Frame,
  FrameTemplate,
  GatewayError,
  type GenerateRequest,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  parseJson,
  readList,
  readObject,
  readText,
  type Seen,
  type Tap,
  type Usage,
  type Varying,
  type Verdict,
  weighText,
} from '../../../../../core/index.ts';
import { describeError } from '../../client/response/error.ts';
import { readFailedEnd, readFinish } from '../../finish-reason.ts';
import { DONE } from '../../shape.ts';
import { createUsageReader } from '../../usage.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { readArguments } from './message.ts';
import { malformed, readChunkError, truncated } from './stream.ts';

/** Members of a delta that show the client something besides text and calls. */
const shown = ['reasoning_details', 'annotations', 'images', 'audio'] as const;

/** What the calls in a message or delta weigh. */
const countCalls = (message: Readonly<JsonObject>): number => {
  const bodies = [
    message['function_call'],
    ...readList(message['tool_calls']).map((call) => readObject(call)['function'] ?? readObject(call)['custom']),
  ];
  return bodies
    .map(readObject)
    .reduce(
      (sum, body) =>
        sum + weighText(readText(body['name'])) + weighText(readArguments(body['arguments'] ?? body['input'])),
      0,
    );
};
const countReasoning = (message: Readonly<JsonObject>): number =>
  weighText(readText(message['reasoning_content']) || readText(message['reasoning']));
const countText = ({ content, refusal }: Readonly<JsonObject>): number =>
  weighText(typeof content === 'string' ? content : readList(content).length === 0 ? '' : JSON.stringify(content)) +
  weighText(readText(refusal));

const isFilled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isObject(value));

/** What one delta is worth: nothing, reasoning that may be unwanted, or content. */
const weigh = (
  delta: Readonly<JsonObject>,
): { readonly chars: number; readonly reasons: boolean; readonly kind: 'nothing' | 'reasoning' | 'content' } => {
  const reasoning = countReasoning(delta);
  const other = countText(delta) + countCalls(delta);
  const chars = reasoning + other;
  const reasons = reasoning > 0 || isFilled(delta['reasoning_details']);
  if (other > 0 || isFilled(delta['tool_calls']) || shown.slice(1).some((member) => isFilled(delta[member])))
    return { chars, reasons, kind: 'content' };
  return { chars, reasons, kind: reasons ? 'reasoning' : 'nothing' };
};

/** A failure that stands inside a choice: clients of the wire look for errors at the top only, so it is told anew, without the vendor's frame. */
const readFailure = (choice: JsonObject, word: string): GatewayError | undefined => {
  if (!holdsError(choice)) return readFailedEnd(word);
  const { code, message, status, failure } = decodeEmbeddedError(choice);
  return new GatewayError(code, message, { status, failure });
};

/** What varies in a chunk that brings text and nothing else; `undefined` for any other. */
const readVarying = ({ choices, usage, x_groq: groq, obfuscation }: JsonObject): Varying | undefined => {
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
};

interface Sight {
  usage?: Usage;
  finish?: Finish;
  error?: GatewayError;
  model?: string;
  outputChars: number;
  reasoned?: boolean;
}

/** Watches the answer of a vendor that is relayed as it comes. */
export function createTap({ includeUsage }: GenerateRequest, omitsFinish = false): Tap {
  const seen: Sight = { outputChars: 0 };
  const readUsage = createUsageReader();
  const finished = new Map<number, boolean>();
  const called = new Set<number>();
  const template = new FrameTemplate();
  const keep = createKeptLimit();
  let done = false;
  let content = false;

  const note = (answer: JsonObject) => {
    const usage = readUsage(answer);
    if (usage !== undefined) seen.usage = usage;
    if (seen.model === undefined && readText(answer['model']) !== '') seen.model = readText(answer['model']);
  };
  const fail = (error: GatewayError): Verdict => {
    seen.error = error;
    return 'error';
  };
  const seeChoice = (choice: JsonObject, message: Readonly<JsonObject>) => {
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
    const word = readText(choice['finish_reason']);
    const weight = weigh(message);
    seen.outputChars += weight.chars;
    if (weight.reasons) seen.reasoned = true;
    if (isFilled(message['tool_calls']) || readText(readObject(message['function_call'])['name']) !== '')
      called.add(index);
    if (!finished.has(index)) keep(KEPT_ENTRY);
    finished.set(index, (finished.get(index) ?? false) || word !== '');
    if (word !== '')
      seen.finish ??= readFinish(word, { calls: called.has(index), refusal: readText(message['refusal']) !== '' });
    return { kind: weight.kind, failure: readFailure(choice, word) };
  };
  const seeChunk = (chunk: JsonObject): Verdict => {
    note(chunk);
    const choices = readList(chunk['choices']).filter(isObject);
    if (choices.length === 0 && isObject(chunk['usage']) && !includeUsage) return 'withhold';
    const sights = choices.map((choice) => seeChoice(choice, readObject(choice['delta'])));
    const failure = sights.find((sight) => sight.failure !== undefined)?.failure;
    if (failure !== undefined) return fail(failure);
    const kinds = new Set(sights.map(({ kind }) => kind));
    if (kinds.has('content') || kinds.has('reasoning')) {
      content = true;
      return 'content';
    }
    return content ? 'pass' : 'hold';
  };

  return {
    seen: seen as Seen,
    see: (frame: Frame) => {
      if (template.match(frame)) {
        seen.outputChars += weighText(template.text);
        return 'content';
      }
      if (frame.data === DONE) {
        done = [...finished.values()].some(Boolean) || (omitsFinish && content);
        if (done) return 'end';
        return fail(content ? truncated() : emptyAnswer());
      }
      if (frame.data === '') return content ? 'pass' : 'hold';
      const chunk = parseJson(frame.data);
      if (!isObject(chunk)) return fail(malformed());
      const error = readChunkError(chunk, frame.event);
      if (error === undefined) {
        const varying = readVarying(chunk);
        if (varying !== undefined) template.learn(frame, varying);
        return seeChunk(chunk);
      }
      note(chunk);
      return fail(error);
    },
    body: (body) => {
      if (!isObject(body)) {
        seen.error = malformed();
        return;
      }
      note(body);
      if (holdsError(body)) seen.error = decodeEmbeddedError(body);
      else if (!Array.isArray(body['choices'])) seen.error = malformed();
      for (const choice of readList(body['choices']).filter(isObject)) {
        const { kind, failure } = seeChoice(choice, readObject(choice['message']));
        content ||= kind !== 'nothing' || readText(choice['finish_reason']) !== '';
        if (failure !== undefined) seen.error = failure;
      }
      if (!content) seen.error ??= emptyAnswer();
    },
    end: () => (done || (finished.size > 0 && [...finished.values()].every(Boolean)) ? undefined : truncated()),
    fail: (error, write) => write(undefined, JSON.stringify(describeError(error))),
  };
}
