import type { JsonObject } from '../../../core/api/index.ts';
import {
  isObject,
  malformedFrame,
  parseJson,
  readObject,
  readText,
  upstreamError,
  type ChoiceWriter,
  type EventWriter,
  type Frame,
  type FrameReader,
  type PartWriter,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { isOfText, readCitation } from './citations.ts';
import { readFailedEnd, readFinish } from './finish.ts';
import { readPiece } from './logprobs.ts';
import { WIRE } from './shape.ts';
import { readUsage } from './usage.ts';

const PLAN = 'plan';

const argumentsOf = (call: Readonly<JsonObject>): string => readText(readObject(call['function'])['arguments']);

/** Reads a stream: blocks of content, a plan, and calls, each with its number. https://docs.cohere.com/docs/streaming */
export class ChatReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;
  readonly #answer: ChoiceWriter;
  readonly #calls = new Map<number, PartWriter>();

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
    this.#answer = events.choice(0);
  }

  push({ data }: Frame): void {
    if (data === '[DONE]') return;
    const event = parseJson(data);
    if (!isObject(event)) throw malformedFrame();
    const { type, index } = event;
    const delta = readObject(event['delta']);
    const message = readObject(delta['message']);
    const at = typeof index === 'number' ? index : 0;
    if (type !== undefined) this.#events.start({ id: readText(event['id']) });
    switch (type) {
      case 'content-start':
      case 'content-delta':
        return this.#readContent(`${at}`, readObject(message['content']), readObject(event['logprobs']));
      case 'content-end':
        return this.#answer.close();
      case 'tool-plan-delta':
        return this.#answer.text(readText(message['tool_plan']), PLAN);
      case 'tool-call-start':
        return this.#startCall(at, readObject(message['tool_calls']));
      case 'tool-call-delta':
        return this.#calls.get(at)?.write(argumentsOf(readObject(message['tool_calls'])));
      case 'tool-call-end':
        return this.#calls.get(at)?.end();
      case 'citation-start':
        return this.#cite(message['citations']);
      case 'message-end':
        return this.#finish(delta);
      default:
        // An event of a kind that does not exist yet, or an error without a kind.
        if (type === undefined && readText(event['message']) !== '')
          throw upstreamError(WIRE, { status: 500, headers: {}, body: event });
    }
  }

  /** A block that changes its kind is another part. */
  #readContent(block: string, content: Readonly<JsonObject>, piece: Readonly<JsonObject>): void {
    this.#answer.reasoning(readText(content['thinking']), block);
    const text = readText(content['text']);
    if (text === '') return;
    const part = this.#answer.continue('text', block);
    part.addLogprobs(readPiece(piece));
    part.write(text);
  }

  #startCall(at: number, call: Readonly<JsonObject>): void {
    const id = readText(call['id']) || `call_${this.#context.turn}_${this.#answer.calls}`;
    const name = readText(readObject(call['function'])['name']);
    this.#calls.get(at)?.end();
    const part = this.#answer.call({ id, name, kind: 'function' });
    this.#calls.set(at, part);
    part.write(argumentsOf(call));
  }

  /** A citation comes while its text is open. */
  #cite(value: unknown): void {
    const citation = isObject(value) && isOfText(value) ? readCitation(value) : undefined;
    const { current } = this.#answer;
    if (citation !== undefined && current?.kind === 'text') current.cite([citation]);
  }

  #finish(delta: Readonly<JsonObject>): void {
    const reason = readText(delta['finish_reason']);
    const failed = readFailedEnd(reason);
    if (failed !== undefined) throw failed;
    this.#answer.finish(readFinish(reason, this.#answer.calls > 0, this.#context.lose));
    this.#events.usage(readUsage(delta['usage']));
    this.#events.end();
  }
}
