import { GatewayError, type Citation, type JsonObject } from '../../../core/api/index.ts';
import {
  isObject,
  malformedFrame,
  omitUndefined,
  parseJson,
  readObject,
  readText,
  upstreamError,
  type EmitEvent,
  type EventDecoder,
  type Frame,
  type PartStart,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { isOfText, readCitation } from './citations.ts';
import { readFailedEnd, readFinish } from './finish-reason.ts';
import { WIRE } from './shape.ts';
import { readUsage } from './usage.ts';

interface OpenPart {
  readonly part: number;
  readonly kind: PartStart['kind'];
  isEmpty: boolean;
  readonly citations: Citation[];
}

const PLAN = 'plan';
const choice = 0;

/** Decodes a stream: blocks of content, a plan, and calls, each with its number. https://docs.cohere.com/docs/streaming */
export class ChatDecoder implements EventDecoder {
  readonly #context: ReadContext;
  /** By kind and number of the vendor. */
  readonly #open = new Map<string, OpenPart>();
  #started = false;
  #ended = false;
  #parts = 0;
  #calls = 0;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  push({ data }: Frame, emit: EmitEvent): void {
    if (this.#ended || data === '' || data === '[DONE]') return;
    const event = parseJson(data);
    if (!isObject(event)) return this.#fail(malformedFrame(), emit);
    const { type, index } = event;
    const delta = readObject(event['delta']);
    const message = readObject(delta['message']);
    const at = typeof index === 'number' ? index : 0;
    if (!this.#started && type !== undefined) this.#start(event, emit);
    switch (type) {
      case 'content-start':
      case 'content-delta':
        return this.#readContent(at, readObject(message['content']), emit);
      case 'content-end':
        return this.#close(`content ${at}`, emit);
      case 'tool-plan-delta':
        return this.#write(PLAN, 'text', readText(message['tool_plan']), emit);
      case 'tool-call-start':
        return this.#startCall(at, readObject(message['tool_calls']), emit);
      case 'tool-call-delta':
        return this.#write(`call ${at}`, undefined, argumentsOf(message), emit);
      case 'tool-call-end':
        return this.#close(`call ${at}`, emit);
      case 'citation-start':
        return this.#cite(message['citations']);
      case 'message-end':
        return this.#finish(delta, emit);
      default:
        return this.#readOther(event, emit);
    }
  }

  end(emit: EmitEvent): void {
    if (!this.#ended) this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  #start({ id }: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#started = true;
    emit(omitUndefined({ type: 'response-start', id: readText(id) || undefined }));
  }

  /** An event of a kind that does not exist yet, or an error without a kind. */
  #readOther(event: Readonly<JsonObject>, emit: EmitEvent): void {
    if (event['type'] !== undefined || readText(event['message']) === '') return;
    this.#fail(upstreamError(WIRE, { status: 500, headers: {}, body: event }), emit);
  }

  #readContent(at: number, content: Readonly<JsonObject>, emit: EmitEvent): void {
    this.#close(PLAN, emit);
    this.#write(`content ${at}`, 'reasoning', readText(content['thinking']), emit);
    this.#write(`content ${at}`, 'text', readText(content['text']), emit);
  }

  /** Text of a part, which starts with it. A block that changes its kind is another part. */
  #write(key: string, kind: 'text' | 'reasoning' | undefined, text: string, emit: EmitEvent): void {
    if (text === '') return;
    if (kind !== undefined && this.#open.get(key)?.kind !== kind) {
      this.#close(key, emit);
      this.#begin(key, { kind }, emit);
    }
    const open = this.#open.get(key);
    if (open === undefined) return;
    open.isEmpty = false;
    emit({ type: 'part-delta', choice, part: open.part, text });
  }

  #begin(key: string, head: Pick<PartStart, 'kind' | 'call'>, emit: EmitEvent): void {
    const part = this.#parts++;
    this.#open.set(key, { part, kind: head.kind, isEmpty: true, citations: [] });
    emit({ type: 'part-start', choice, part, ...head });
  }

  #startCall(at: number, call: Readonly<JsonObject>, emit: EmitEvent): void {
    const key = `call ${at}`;
    this.#close(PLAN, emit);
    this.#close(key, emit);
    const id = readText(call['id']) || `call_${this.#context.turn}_${this.#calls}`;
    this.#calls += 1;
    const name = readText(readObject(call['function'])['name']);
    this.#begin(key, { kind: 'tool-call', call: { id, name, kind: 'function' } }, emit);
    this.#write(key, undefined, readText(readObject(call['function'])['arguments']), emit);
  }

  /** A citation comes while its text is open. */
  #cite(value: unknown): void {
    const citation = isObject(value) && isOfText(value) ? readCitation(value) : undefined;
    if (citation === undefined) return;
    const texts = [...this.#open.values()].filter(({ kind }) => kind === 'text');
    texts.at(-1)?.citations.push(citation);
  }

  #close(key: string, emit: EmitEvent): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const { part, kind, isEmpty, citations } = open;
    if (kind === 'tool-call' && isEmpty) emit({ type: 'part-delta', choice, part, text: '{}' });
    emit({ type: 'part-end', choice, part, ...(citations.length === 0 ? {} : { citations }) });
  }

  #closeAll(emit: EmitEvent): void {
    for (const key of this.#open.keys()) this.#close(key, emit);
  }

  #finish(delta: Readonly<JsonObject>, emit: EmitEvent): void {
    const reason = readText(delta['finish_reason']);
    const failed = readFailedEnd(reason);
    if (failed !== undefined) return this.#fail(failed, emit);
    this.#closeAll(emit);
    emit({ type: 'choice-end', choice, finish: readFinish(reason, this.#calls > 0) });
    const usage = readUsage(delta['usage']);
    if (usage !== undefined) emit({ type: 'usage', usage });
    emit({ type: 'response-end' });
    this.#ended = true;
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#closeAll(emit);
    this.#ended = true;
    emit({ type: 'error', error });
  }
}

const argumentsOf = ({ tool_calls: calls }: Readonly<JsonObject>): string =>
  readText(readObject(readObject(calls)['function'])['arguments']);
