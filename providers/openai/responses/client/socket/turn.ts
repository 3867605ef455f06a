import { type GatewayError, invalidRequest, type JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  readList,
  readMembers,
  readObject,
  readObjects,
  readText,
  type SocketAnswer,
  type SocketTurn,
  type WriteContext,
} from '../../../../../core/api/codec.ts';
import { decodeRequest } from '../request/request.ts';
import { encodeError } from '../response/error.ts';
import { encodeStream } from '../response/stream.ts';
import type { KeptItems } from './kept-items.ts';
import { type CreateMessage, parseText } from './message.ts';

/** Quotes within a string are escaped, so this is a member. */
const TERMINAL = /"type"\s*:\s*"response\.(?:completed|incomplete|failed)"/;
const UNKNOWN_PREVIOUS = '"previous_response_id":null';
/** A longer input is not searched for outputs without a call: the vendor does that. */
const SEARCHED_CHARS = 262_144;

const joinItems = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(',');

/** Reasoning can only be sent back in its encrypted form. */
const canBeSent = (item: unknown): boolean =>
  isObject(item) && (item['type'] !== 'reasoning' || readText(item['encrypted_content']) !== '');

/**
 * An error message, whose code is never null: https://developers.openai.com/api/docs/guides/websocket-mode
 * @param error the error object of a response by HTTP
 */
export function writeFailure(status: number, error: unknown, stream: string | undefined): string {
  const members = readObject(error);
  const described = { ...members, code: members['code'] ?? members['type'] };
  return JSON.stringify({ type: 'error', status, error: described, ...(stream && { stream_id: stream }) });
}

/** The first output of a tool whose call is neither in the conversation nor in the input. */
function findOrphan(conversation: string, items: string): string | undefined {
  if (items.length > SEARCHED_CHARS) return undefined;
  let input: readonly JsonObject[];
  try {
    input = readObjects(JSON.parse(`[${items}]`));
  } catch {
    return undefined;
  }
  const calls = new Set(input.filter(({ type }) => !readText(type).endsWith('_output')).map((item) => item['call_id']));
  return input
    .filter(({ type }) => readText(type).endsWith('_call_output'))
    .map((item) => readText(item['call_id']))
    .find((id) => id !== '' && !calls.has(id) && !conversation.includes(JSON.stringify(id)));
}

/**
 * Answers `generate: false`: the request is checked and kept, and the model is not called. A later turn continues it.
 * @param body of the same request by HTTP
 * @throws GatewayError 400
 */
function prewarm(body: Buffer, { now, newId }: Pick<WriteContext, 'now' | 'newId'>) {
  const { model, request } = decodeRequest({ raw: body, body: parseText(body.toString()), headers: {}, query: {} });
  const events: string[] = [];
  let id = '';
  const write = (_event: string | undefined, data: string): void => {
    events.push(data);
    id = readMembers(readObject(JSON.parse(data))['response']).string('id') ?? id;
  };
  const encoder = encodeStream({ request, created: now(), now, newId, lose: () => {}, inputEstimate: 0 });
  encoder.push({ type: 'response-start', model }, write);
  encoder.push({ type: 'response-end' }, write);
  return { id, events };
}

/** One `response.create` of a socket. */
export class ResponsesTurn implements SocketTurn {
  readonly stream: string;
  readonly #message: CreateMessage;
  readonly #kept: KeptItems;
  readonly #streamId: string | undefined;
  readonly #previous: string | undefined;
  /** The items of the conversation so far; undefined if a part of it is stored at the vendor. */
  #items: string | undefined;
  #isContinued = false;

  constructor(message: CreateMessage, kept: KeptItems) {
    this.#message = message;
    this.#kept = kept;
    this.#streamId = message.text('stream_id');
    this.stream = this.#streamId ?? '';
    this.#previous = message.text('previous_response_id');
  }

  start(context: Pick<WriteContext, 'now' | 'newId'>): SocketAnswer {
    const message = this.#message;
    if (this.#previous === undefined) this.#items = message.has('conversation') ? undefined : message.items;
    else if (!this.#continue(this.#previous)) return { messages: [this.#writeMissing(this.#previous)] };
    const body = message.body(this.#isContinued ? this.#items : undefined);
    if (!message.is('generate', 'false')) return { body };
    const { id, events } = prewarm(body, context);
    if (this.#items !== undefined) this.#kept.set(id, this.#items);
    return { messages: events.map((data) => this.#address(data)) };
  }

  writeEvent(data: string): string {
    if (TERMINAL.test(data)) this.#keep(readObject(JSON.parse(data)));
    if (!this.#isContinued) return this.#address(data);
    const previous = `"previous_response_id":${JSON.stringify(this.#previous)}`;
    return this.#address(data.replace(UNKNOWN_PREVIOUS, () => previous));
  }

  writeRefusal(status: number, body: string): string {
    this.#evict();
    return writeFailure(status, readObject(JSON.parse(body))['error'], this.#streamId);
  }

  writeError(error: GatewayError): string {
    this.#evict();
    const { status, body } = encodeError(error);
    return writeFailure(status, readObject(body)['error'], this.#streamId);
  }

  /** Puts the conversation before the input. @returns false if no place has the earlier response */
  #continue(previous: string): boolean {
    const earlier = this.#kept.get(previous);
    // It can be stored at the vendor, which the route decides about.
    if (earlier === undefined) return !this.#message.is('store', 'false');
    const { items } = this.#message;
    const orphan = findOrphan(earlier, items);
    if (orphan !== undefined)
      throw invalidRequest('input', `No tool call found for function call output with call_id ${orphan}.`);
    this.#items = joinItems(earlier, items);
    this.#isContinued = true;
    return true;
  }

  #keep({ type, response }: JsonObject): void {
    if (type === 'response.failed') {
      this.#evict();
      return;
    }
    const { id, output } = readObject(response);
    if (this.#items === undefined || readText(id) === '') return;
    const answered = readList(output)
      .filter(canBeSent)
      .map((item) => JSON.stringify(item));
    this.#kept.set(readText(id), joinItems(this.#items, ...answered));
  }

  /** A conversation whose continuation has failed is not continued again. */
  #evict(): void {
    if (this.#previous !== undefined) this.#kept.delete(this.#previous);
  }

  #writeMissing(id: string): string {
    const message =
      `Previous response with id '${id.slice(0, 128)}' not found on this socket. It was not stored: open the ` +
      'conversation again with its whole input.';
    const error = { type: 'invalid_request_error', code: 'previous_response_not_found', message };
    return writeFailure(400, { ...error, param: 'previous_response_id' }, this.#streamId);
  }

  #address(data: string): string {
    if (this.#streamId === undefined || !data.startsWith('{')) return data;
    return `{"stream_id":${JSON.stringify(this.#streamId)},${data.slice(1)}`;
  }
}
