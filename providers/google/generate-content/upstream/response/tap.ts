import {
  createKeptLimit,
  emptyAnswer,
  type Finish,
  type Frame,
  type GatewayError,
  isObject,
  type JsonObject,
  KEPT_ENTRY,
  parseJson,
  readObject,
  readObjects,
  readText,
  type Seen,
  type Tap,
  type Usage,
  type Verdict,
  weighText,
} from '../../../../../core/index.ts';
import { describeError } from '../../client/response/error.ts';
import { readBlock, readFinish, readFinishWord } from '../../finish-reason.ts';

import { holdsCounts, mergeUsage, readUsage } from '../../usage.ts';
import { decodeEmbeddedError, holdsError } from './error.ts';
import { malformed, truncated } from './failure.ts';

interface Sight {
  usage?: Usage;
  finish?: Finish;
  error?: GatewayError;
  model?: string;
  outputChars: number;
  reasoned?: boolean;
}

/** What text and arguments weigh. */
const measurePart = (part: JsonObject): number => {
  const { name, args, partialArgs } = readObject(part['functionCall']);
  const input = args ?? partialArgs;
  return (
    weighText(readText(part['text'])) +
    weighText(readText(name)) +
    (input === undefined ? 0 : weighText(JSON.stringify(input)))
  );
};

/** Does a part show the client something? An empty text does not, unless it brings a signature. */
const shows = (part: JsonObject): boolean =>
  Object.entries(part).some(([name, value]) => name !== 'thought' && value !== '' && value !== null);

/** Watches an answer of this wire that is relayed as it comes. It has no terminal: it ends with its bytes. */
export function createTap(): Tap {
  const seen: Sight = { outputChars: 0 };
  /** By candidate: whether it has told why it ended, and whether it called. */
  const finished = new Map<number, boolean>();
  const called = new Set<number>();
  const keep = createKeptLimit();
  let figures: Readonly<JsonObject> = {};
  let blocked = false;
  let content = false;
  /** Anything of an answer was seen: content, or a reason for its end. */
  let produced = false;

  const note = ({ usageMetadata, modelVersion }: JsonObject): void => {
    if (isObject(usageMetadata)) {
      figures = mergeUsage(figures, usageMetadata);
      if (holdsCounts(usageMetadata)) seen.usage = readUsage(figures);
    }
    if (readText(modelVersion) !== '') seen.model ??= readText(modelVersion);
  };
  /** Does it show the client something? */
  const seeCandidate = (candidate: JsonObject): boolean => {
    const { finishReason, finishMessage } = candidate;
    const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0;
    const parts = readObjects(readObject(candidate['content'])['parts']);
    const word = readFinishWord(finishReason);
    for (const part of parts) {
      seen.outputChars += measurePart(part);
      if (part['thought'] === true) seen.reasoned = true;
      if (part['functionCall'] !== undefined) called.add(index);
    }
    if (!finished.has(index)) keep(KEPT_ENTRY);
    finished.set(index, word !== '' || finished.get(index) === true);
    if (word !== '') seen.finish = readFinish(word, { calls: called.has(index) }, finishMessage);
    const showing = parts.some(shows);
    produced ||= showing || word !== '';
    return showing;
  };
  /** A chunk, or a whole answer. */
  const seeAnswer = (answer: JsonObject): boolean => {
    note(answer);
    if (holdsError(answer)) {
      seen.error = decodeEmbeddedError(answer);
      return false;
    }
    const block = readBlock(answer['promptFeedback']);
    if (block !== undefined && finished.size === 0) {
      blocked = true;
      seen.finish = block;
    }
    return readObjects(answer['candidates']).map(seeCandidate).some(Boolean);
  };
  const isComplete = (): boolean => (finished.size > 0 ? [...finished.values()].every(Boolean) : blocked);

  return {
    seen: seen as Seen,
    see: (frame: Frame): Verdict => {
      if (frame.data === '') return content ? 'pass' : 'hold';
      // Those that copy this wire end it as OpenAI's ends, and the SDK of this one throws on it.
      if (frame.data === '[DONE]') return 'withhold';
      const chunk = parseJson(frame.data);
      const showing = isObject(chunk) && seeAnswer(chunk);
      if (!isObject(chunk)) seen.error = malformed();
      if (seen.error !== undefined) return 'error';
      content ||= showing;
      if (showing) return 'content';
      return content ? 'pass' : 'hold';
    },
    body: (body) => {
      if (!isObject(body)) {
        seen.error = malformed();
        return;
      }
      seeAnswer(body);
      if (!produced && !blocked) seen.error ??= emptyAnswer();
    },
    end: () => seen.error ?? (isComplete() ? undefined : truncated()),
    fail: (error, write) => write(undefined, JSON.stringify(describeError(error))),
  };
}
