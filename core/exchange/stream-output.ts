import type { Operation } from '../canonical/wire.ts';
import type { WriteContext } from '../contracts/codec-context.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Framing, FrameWriter } from '../contracts/framing.ts';
import type { Reply } from '../contracts/attempt.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { newId } from '../lanes/new-id.ts';
import { Timer } from '../services/timer.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { measureCost } from './cost-headers.ts';
import type { ReplyOutput } from './plain-output.ts';
import { openHeaders } from './response-headers.ts';

/** `server.stream`, in milliseconds. */
export interface StreamTimes {
  readonly openAfter: number;
  readonly keepaliveEvery: number;
}

export interface StreamParts {
  framing(name: string): Framing | undefined;
  readonly stream: StreamTimes;
}

/**
 * The stream to one client. If the first content takes longer than `openAfter`, the stream is opened before it: the
 * client gets the status and keepalives, while failover is still possible. From then on a keepalive is written whenever
 * nothing was written for `keepaliveEvery`, only between whole frames, and never to a client that has stopped reading.
 */
export class StreamOutput implements ReplyOutput {
  readonly #connection: ClientConnection;
  readonly #client: ClientSide<Operation>;
  readonly #contentType: string;
  readonly #writer: FrameWriter;
  readonly #times: StreamTimes;
  /** The text of a keepalive. */
  #keepalive: string;
  /** Writes that wait for the client. */
  #pendingWrites = 0;
  #timer: Timer | undefined;

  constructor(connection: ClientConnection, client: ClientSide<Operation>, framing: Framing, times: StreamTimes) {
    const { writer } = framing;
    if (writer === undefined) throw unwritable(framing.name);
    this.#connection = connection;
    this.#client = client;
    this.#contentType = framing.contentType;
    this.#writer = writer;
    this.#times = times;
    this.#keepalive = writer.idle();
  }

  /** Called before the first attempt. */
  start(exchange: Exchange, state: ExchangeState): void {
    const { openAfter, keepaliveEvery } = this.#times;
    this.#timer = new Timer(openAfter, () => {
      const headers = openHeaders(exchange, state, undefined, this.#connection);
      headers['content-type'] = this.#contentType;
      if (!this.#connection.begun) this.#connection.begin(200, headers);
      this.#writeKeepalive();
      this.#timer?.refresh(keepaliveEvery);
    });
  }

  /** The first content has arrived. */
  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void {
    const headers = openHeaders(exchange, state, reply, this.#connection);
    if (!this.#connection.begun) this.#connection.begin(reply.status, headers);
    const { keepalive } = this.#client;
    if (keepalive !== undefined) this.#keepalive = this.#writer.frame(keepalive.event, keepalive.data, false);
    this.#timer?.stop();
    this.#timer = new Timer(this.#times.keepaliveEvery, () => {
      this.#writeKeepalive();
      this.#timer?.refresh();
    });
  }

  write(bytes: string | Uint8Array, isLast?: boolean): Promise<void> | undefined {
    if (isLast === true) {
      this.#connection.last(bytes);
      return undefined;
    }
    this.#timer?.refresh();
    return this.#send(bytes);
  }

  end(exchange: Exchange, state: ExchangeState): void {
    this.stop();
    if (state.tellsCost) this.#tellCost(exchange, state);
  }

  /** Writes an error as the last frames of an open stream, in the client's wire. */
  fail(exchange: Exchange, state: ExchangeState, error: GatewayError, created: number): void {
    this.stop();
    void this.#connection.write(encodeFailure(this.#client, this.#writer, exchange, error, created));
    if (state.tellsCost) this.#tellCost(exchange, state);
  }

  stop(): void {
    this.#timer?.stop();
  }

  /** Nothing of the wire follows. Comments are for clients that cannot read trailers. */
  #tellCost(exchange: Exchange, state: ExchangeState): void {
    const headers = measureCost(exchange, state);
    for (const [name, value] of Object.entries(headers)) {
      const comment = this.#writer.comment?.(`${name} ${value}`);
      if (comment !== undefined) void this.#connection.write(comment);
    }
    this.#connection.trail(headers);
  }

  #send(bytes: string | Uint8Array): Promise<void> | undefined {
    const full = this.#connection.write(bytes);
    if (full === undefined) return undefined;
    this.#pendingWrites += 1;
    return full.finally(() => {
      this.#pendingWrites -= 1;
    });
  }

  #writeKeepalive(): void {
    if (this.#pendingWrites === 0) void this.#send(this.#keepalive);
  }
}

const unwritable = (name: string): GatewayError =>
  new GatewayError('internal_error', `The framing ${name} cannot be written to clients.`);

/** @throws GatewayError `internal_error` where the framing of the exchange cannot be written to clients */
export function createStreamOutput(
  { framing: find, stream }: StreamParts,
  { framing: name }: Exchange,
  connection: ClientConnection,
  client: ClientSide<Operation>,
): StreamOutput {
  const framing = find(name);
  if (framing === undefined) throw unwritable(name);
  return new StreamOutput(connection, client, framing, stream);
}

/** A whole stream that contains only an error. @param created unix seconds */
const encodeFailure = (
  client: ClientSide<Operation>,
  writer: FrameWriter,
  { request, estimate }: Exchange,
  error: GatewayError,
  created: number,
): string => {
  const inputEstimate = estimate.inputTokens;
  const now = (): number => created;
  const context: WriteContext<Operation> = { request, created, now, newId, lose: () => {}, inputEstimate };
  let text = '';
  client.encodeStream?.(context).push({ type: 'error', error }, (event, data) => {
    text += writer.frame(event, data, text === '');
  });
  return text + writer.close();
};
