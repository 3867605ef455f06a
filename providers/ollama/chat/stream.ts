import { GatewayError, type Finish, type JsonObject } from '../../../core/api/index.ts';
import {
  isObject,
  malformedFrame,
  omitUndefined,
  parseJson,
  readObject,
  readObjects,
  readText,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  type PartKind,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { decodeEmbeddedError } from '../error.ts';
import { WIRE } from './shape.ts';
import { readUsage } from './usage.ts';

/** `load` and `unload` end a response without content. */
const readFinish = (reason: string, called: boolean): Finish => ({
  reason: reason === 'length' ? 'length' : called ? 'tool_calls' : 'stop',
  ...(reason === '' ? {} : { vendor: reason }),
});

/** Whether a line, or the body of a plain response, is an error. */
export const holdsError = (line: Readonly<JsonObject>): boolean =>
  isObject(line['error']) || readText(line['error']) !== '';

/** Decodes a stream of one JSON object a line. `done` marks the last one, which has the usage. */
export class ChatDecoder implements EventDecoder {
  readonly #context: ReadContext;
  #started = false;
  #ended = false;
  /** The open part. Texts and thoughts of consecutive lines are one part. */
  #open: PartKind | undefined;
  #parts = 0;
  #calls = 0;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  push({ data }: Frame, emit: EmitEvent): void {
    if (this.#ended || data === '') return;
    const line = parseJson(data);
    if (!isObject(line)) return this.#fail(malformedFrame(), emit);
    if (holdsError(line)) return this.#fail(decodeEmbeddedError(WIRE, line), emit);
    // Later versions of the server may send lines of other kinds.
    if ('message' in line || line['done'] === true) this.read(line, emit);
  }

  end(emit: EmitEvent): void {
    if (!this.#ended) this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  /** Reads one line, or the body of a plain response. */
  read(line: Readonly<JsonObject>, emit: EmitEvent): void {
    if (!this.#started) emit(omitUndefined({ type: 'response-start', model: readText(line['model']) || undefined }));
    this.#started = true;
    const message = readObject(line['message']);
    this.#readText('reasoning', readText(message['thinking']), emit);
    this.#readText('text', readText(message['content']), emit);
    for (const call of readObjects(message['tool_calls'])) this.#readCall(call, emit);
    if (line['done'] === true) this.#finish(line, emit);
  }

  #readText(kind: PartKind, text: string, emit: EmitEvent): void {
    if (text === '') return;
    if (this.#open !== kind) {
      this.#closePart(emit);
      this.#open = kind;
      emit({ type: 'part-start', choice: 0, part: this.#parts, kind });
    }
    emit({ type: 'part-delta', choice: 0, part: this.#parts, text });
  }

  /** A call comes in one piece. Older versions give it no id: it gets one that is stable within the conversation. */
  #readCall({ id: given, function: value }: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#closePart(emit);
    const { name, arguments: input } = readObject(value);
    const [part, choice] = [this.#parts, 0];
    const id = readText(given) || `call_${this.#context.turn}_${this.#calls}`;
    emit({ type: 'part-start', choice, part, kind: 'tool-call', call: { id, name: readText(name), kind: 'function' } });
    const text = typeof input === 'string' && input !== '' ? input : JSON.stringify(isObject(input) ? input : {});
    emit({ type: 'part-delta', choice, part, text });
    emit({ type: 'part-end', choice, part });
    this.#parts += 1;
    this.#calls += 1;
  }

  #closePart(emit: EmitEvent): void {
    if (this.#open === undefined) return;
    emit({ type: 'part-end', choice: 0, part: this.#parts });
    this.#open = undefined;
    this.#parts += 1;
  }

  #finish(line: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#closePart(emit);
    emit({ type: 'choice-end', choice: 0, finish: readFinish(readText(line['done_reason']), this.#calls > 0) });
    const usage = readUsage(line);
    if (usage !== undefined) emit({ type: 'usage', usage });
    emit({ type: 'response-end' });
    this.#ended = true;
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#closePart(emit);
    this.#ended = true;
    emit({ type: 'error', error });
  }
}
