import type { JsonObject } from '../../../core/api/index.ts';
import {
  isObject,
  malformedFrame,
  parseJson,
  readLogprobs,
  readObject,
  readObjects,
  readText,
  type EventWriter,
  type Frame,
  type FrameReader,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { decodeEmbeddedError } from '../error.ts';
import { readFinish } from './finish.ts';
import { WIRE } from './shape.ts';
import { readUsage } from './usage.ts';

/** Whether a line, or the body of a plain response, is an error. */
export const holdsError = (line: Readonly<JsonObject>): boolean =>
  isObject(line['error']) || readText(line['error']) !== '';

/** Reads a stream of one JSON object a line. `done` marks the last one, which has the usage. */
export class ChatReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
  }

  push({ data }: Frame): void {
    const line = parseJson(data);
    if (!isObject(line)) throw malformedFrame();
    if (holdsError(line)) throw decodeEmbeddedError(WIRE, line);
    // Later versions of the server may send lines of other kinds.
    if ('message' in line || line['done'] === true) this.read(line);
  }

  /** Reads one line, or the body of a plain response. Texts and thoughts of consecutive lines are one part. */
  read(line: Readonly<JsonObject>): void {
    const answer = this.#events.choice(0);
    const message = readObject(line['message']);
    this.#events.start({ model: readText(line['model']) });
    answer.reasoning(readText(message['thinking']));
    answer.logprobs(readLogprobs(line['logprobs']));
    answer.text(readText(message['content']));
    for (const call of readObjects(message['tool_calls'])) this.#readCall(call);
    if (line['done'] !== true) return;
    answer.finish(readFinish(readText(line['done_reason']), answer.calls > 0, this.#context.lose));
    this.#events.usage(readUsage(line));
    this.#events.end();
  }

  /** A call comes in one piece. Older versions give it no id: it gets one that is stable within the conversation. */
  #readCall({ id: given, function: value }: Readonly<JsonObject>): void {
    const answer = this.#events.choice(0);
    const { name, arguments: input } = readObject(value);
    const id = readText(given) || `call_${this.#context.turn}_${answer.calls}`;
    const call = answer.call({ id, name: readText(name), kind: 'function' });
    call.write(isObject(input) ? JSON.stringify(input) : readText(input));
    call.end();
  }
}
