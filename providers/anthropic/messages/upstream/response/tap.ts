import {
  emptyAnswer,
  FrameTemplate,
  GatewayError,
  isObject,
  lookUp,
  parseJson,
  weighText,
  type Finish,
  type Frame,
  type JsonObject,
  type Seen,
  type Tap,
  type Usage,
  type Varying,
  type Verdict,
} from '../../../../../core/index.ts';
import { composeError } from '../../client/response/error.ts';
import { readFinish } from '../../finish-reason.ts';
import { mergeUsage, readUsage } from '../../usage.ts';
import { decodeErrorBody } from './error.ts';
import { shownMembers, showsBlock } from './shows.ts';
import { malformed } from './stream.ts';

const reasoning = new Set<unknown>(['thinking', 'redacted_thinking']);

/** The members of a delta that count as output. */
const counted = new Set<string>(['text', 'thinking', 'partial_json']);

const weigh = (value: unknown): number => (typeof value === 'string' ? weighText(value) : 0);

/** What varies in an event that brings text or thinking and nothing else; `undefined` for any other. */
const readVarying = ({ type, delta }: JsonObject): Varying | undefined => {
  if (type !== 'content_block_delta' || !isObject(delta) || Object.keys(delta).length !== 2) return undefined;
  const text = delta['type'] === 'text_delta' ? delta['text'] : delta['thinking'];
  return typeof text === 'string' ? { text } : undefined;
};

interface Sight {
  usage?: Usage;
  finish?: Finish;
  error?: GatewayError;
  model?: string;
  outputChars: number;
  reasoned?: boolean;
}

/** What text, thinking and arguments weigh in a block of a plain answer. */
const measureBlock = ({ type, text, thinking, input }: JsonObject): number =>
  weigh(text) + weigh(thinking) + (type === 'tool_use' && input !== undefined ? weighText(JSON.stringify(input)) : 0);

/** Watches a native answer of this wire: when it shows something, how it ends, what it used. */
export function createTap(): Tap {
  const seen: Sight = { outputChars: 0 };
  const template = new FrameTemplate();
  let figures: JsonObject = {};
  let ended = false;
  let shown = false;

  const show = (): Verdict => {
    shown = true;
    return 'content';
  };
  const count = (usage: unknown): void => {
    if (!isObject(usage)) return;
    figures = mergeUsage(figures, usage);
    seen.usage = readUsage(figures);
  };
  const noteKind = ({ type }: JsonObject): void => {
    if (reasoning.has(type)) seen.reasoned = true;
  };
  /** A whole message, or the one that a stream starts with. */
  const seeMessage = (message: JsonObject): readonly JsonObject[] => {
    const { model, usage, content } = message;
    if (typeof model === 'string') seen.model = model;
    count(usage);
    if (typeof message['stop_reason'] === 'string') seen.finish = readFinish(message);
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    blocks.forEach(noteKind);
    for (const block of blocks) seen.outputChars += measureBlock(block);
    return blocks;
  };

  /** A named event without JSON makes clients throw; unnamed data they skip. */
  const broken = (): Verdict => {
    seen.error = malformed();
    return 'error';
  };

  const verdicts: Readonly<Record<string, (event: JsonObject) => Verdict>> = {
    message_start: ({ message }) => (isObject(message) && seeMessage(message).length > 0 ? show() : 'hold'),
    ping: () => 'hold',
    content_block_start: ({ content_block: block }) => {
      if (isObject(block)) {
        noteKind(block);
        seen.outputChars += measureBlock(block);
      }
      return showsBlock(block) ? show() : 'hold';
    },
    content_block_delta: ({ delta }) => {
      if (!isObject(delta)) return 'pass';
      const members = shownMembers(delta);
      for (const member of members) if (counted.has(member)) seen.outputChars += weigh(delta[member]);
      return members.length > 0 ? show() : 'pass';
    },
    message_delta: ({ delta, usage }) => {
      if (isObject(delta) && typeof delta['stop_reason'] === 'string') seen.finish = readFinish(delta);
      count(usage);
      return 'pass';
    },
    message_stop: () => {
      ended = true;
      if (shown || seen.finish !== undefined) return 'end';
      seen.error = emptyAnswer();
      return 'error';
    },
    error: (event) => {
      ended = true;
      seen.error = decodeErrorBody(event);
      return 'error';
    },
  };

  return {
    seen: seen as Seen,
    see: (frame: Frame) => {
      if (template.match(frame)) {
        seen.outputChars += weighText(template.text);
        return 'content';
      }
      const event = parseJson(frame.data);
      if (!isObject(event)) return frame.event === undefined ? 'pass' : broken();
      const varying = readVarying(event);
      if (varying !== undefined) template.learn(frame, varying);
      const type = typeof event['type'] === 'string' ? event['type'] : (frame.event ?? '');
      return lookUp(verdicts, type)?.(event) ?? 'pass';
    },
    body: (body) => {
      if (!isObject(body)) return;
      if (body['type'] === 'error') seen.error = decodeErrorBody(body);
      else if (!Array.isArray(body['content'])) seen.error = malformed();
      else if (!seeMessage(body).some(showsBlock) && seen.finish === undefined) seen.error = emptyAnswer();
    },
    end: () => (ended ? seen.error : new GatewayError('upstream_truncated')),
    fail: (error, write) => write('error', JSON.stringify(composeError(error))),
  };
}
