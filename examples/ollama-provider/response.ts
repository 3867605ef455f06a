import { GatewayError, type Finish, type GenerateResponse, type JsonObject, type Usage } from 'koine-gateway';
import {
  emptyResponse,
  EventWriter,
  foldEvents,
  noTokens,
  parseJson,
  readCount,
  readObject,
  readObjects,
  readText,
  upstreamError,
  type ErrorReply,
  type Frame,
  type FrameReader,
  type GenerateEvent,
  type ReadContext,
} from 'koine-gateway/codec';

/** A call has no id on this wire: it gets one that is stable within the conversation. */
const callId = (turn: number, index: number): string => `call_${turn}_${index}`;

const readFinish = (reason: string, called: boolean): Finish => ({
  reason: called ? 'tool_calls' : reason === 'length' ? 'length' : 'stop',
  vendor: reason,
});

const readUsage = (line: Readonly<JsonObject>): Usage => ({
  ...noTokens,
  inputUncached: readCount(line['prompt_eval_count']),
  output: readCount(line['eval_count']),
  source: 'provider',
});

/** Reads a stream, one JSON object a line; `done` marks the last one, which has the usage. */
export class StreamReader implements FrameReader {
  readonly #context: ReadContext;
  readonly #events: EventWriter;

  constructor(context: ReadContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
  }

  push({ data }: Frame): void {
    const line = readObject(parseJson(data));
    const error = readText(line['error']);
    if (error !== '') throw new GatewayError('upstream_error', error);
    // Later versions of the server may send lines of other kinds.
    if ('message' in line || line['done'] === true) this.read(line);
  }

  /** Reads one line, or the body of a plain response. The writer joins texts and thoughts of consecutive lines. */
  read(line: Readonly<JsonObject>): void {
    const answer = this.#events.choice(0);
    const message = readObject(line['message']);
    this.#events.start({ model: readText(line['model']) });
    answer.reasoning(readText(message['thinking']));
    answer.text(readText(message['content']));
    for (const call of readObjects(message['tool_calls'])) this.#readCall(readObject(call['function']));
    if (line['done'] !== true) return;
    answer.finish(readFinish(readText(line['done_reason']), answer.calls > 0));
    this.#events.usage(readUsage(line));
    this.#events.end();
  }

  /** A call comes in one piece. */
  #readCall(call: Readonly<JsonObject>): void {
    const answer = this.#events.choice(0);
    const id = callId(this.#context.turn, answer.calls);
    const part = answer.call({ id, name: readText(call['name']), kind: 'function' });
    part.write(JSON.stringify(call['arguments'] ?? {}));
    part.end();
  }
}

/** A plain response is a stream of one line. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const line = readObject(body);
  if (line['done'] !== true) throw emptyResponse();
  const events: GenerateEvent[] = [];
  new StreamReader(context, new EventWriter((event) => events.push(event))).read(line);
  return foldEvents(events);
}

/** `{"error":"model \"llama9\" not found"}` with a status. */
export const decodeError = (reply: ErrorReply): GatewayError =>
  upstreamError('ollama-example-chat', reply, reply.status === 404 ? { failure: 'model-gone' } : {});
