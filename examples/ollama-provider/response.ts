import { GatewayError, type Finish, type GenerateResponse, type JsonObject } from 'koine-gateway';
import {
  emptyResponse,
  foldEvents,
  parseJson,
  readCount,
  readObject,
  readObjects,
  readText,
  upstreamError,
  type EmitEvent,
  type ErrorReply,
  type EventDecoder,
  type Frame,
  type GenerateEvent,
  type PartKind,
  type ReadContext,
} from 'koine-gateway/codec';

/** A call has no id on this wire: it gets one that is stable within the conversation. */
const callId = (turn: number, index: number): string => `call_${turn}_${index}`;

const readFinish = (reason: string, called: boolean): Finish => ({
  reason: called ? 'tool_calls' : reason === 'length' ? 'length' : 'stop',
  vendor: reason,
});

/** Decodes a stream, one JSON object a line; `done` marks the last one, which has the usage. */
export class StreamDecoder implements EventDecoder {
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
    const line = readObject(parseJson(data));
    const error = readText(line['error']);
    if (error !== '') return this.#fail(new GatewayError('upstream_error', error), emit);
    // Later versions of the server may send lines of other kinds.
    if ('message' in line || line['done'] === true) this.read(line, emit);
  }

  /** Reads one line, or the body of a plain response. */
  read(line: Readonly<JsonObject>, emit: EmitEvent): void {
    if (!this.#started) emit({ type: 'response-start', model: readText(line['model']) });
    this.#started = true;
    const message = readObject(line['message']);
    this.#readText('reasoning', readText(message['thinking']), emit);
    this.#readText('text', readText(message['content']), emit);
    for (const call of readObjects(message['tool_calls'])) this.#readCall(readObject(call['function']), emit);
    if (line['done'] === true) this.#finish(line, emit);
  }

  end(emit: EmitEvent): void {
    if (!this.#ended) this.#fail(new GatewayError('upstream_truncated'), emit);
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

  /** A call comes in one piece. */
  #readCall(call: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#closePart(emit);
    const part = this.#parts;
    const id = callId(this.#context.turn, this.#calls);
    emit({
      type: 'part-start',
      choice: 0,
      part,
      kind: 'tool-call',
      call: { id, name: readText(call['name']), kind: 'function' },
    });
    emit({ type: 'part-delta', choice: 0, part, text: JSON.stringify(call['arguments'] ?? {}) });
    emit({ type: 'part-end', choice: 0, part });
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
    emit({
      type: 'usage',
      usage: {
        inputUncached: readCount(line['prompt_eval_count']),
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: readCount(line['eval_count']),
        reasoning: 0,
        source: 'provider',
      },
    });
    emit({ type: 'response-end' });
    this.#ended = true;
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#ended = true;
    emit({ type: 'error', error });
  }
}

/** A plain response is a stream of one line. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const line = readObject(body);
  if (line['done'] !== true) throw emptyResponse();
  const events: GenerateEvent[] = [];
  new StreamDecoder(context).read(line, (event) => events.push(event));
  return foldEvents(events);
}

/** `{"error":"model \"llama9\" not found"}` with a status. */
export const decodeError = (reply: ErrorReply): GatewayError =>
  upstreamError('ollama-example-chat', reply, reply.status === 404 ? { failure: 'model-gone' } : {});
