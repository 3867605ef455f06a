import type { Exchange } from '../contracts/exchange.ts';
import type { Output, Reply } from '../contracts/attempt.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { measureCost } from './cost-headers.ts';
import { openHeaders, replyHeaders } from './response-headers.ts';

/** Where the response of an exchange is written. */
export interface ReplyOutput extends Output {
  /** The response has begun: no other target can replace it. */
  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void;
  /** The whole response has been written, and the state has its ending. The connection is ended after `settle`. */
  end(exchange: Exchange, state: ExchangeState): void;
}

/** A response that is not streamed. Its headers go out with its body, so that an error before can replace it. */
export class PlainOutput implements ReplyOutput {
  readonly #connection: ClientConnection;
  #status = 0;
  #headers: Record<string, string> = {};
  /** The body: in one part, unless an interceptor divides it. */
  readonly #body: (string | Uint8Array)[] = [];

  constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void {
    this.#status = reply.status;
    this.#headers = Object.assign(replyHeaders(exchange, state, reply), reply.headers);
  }

  write(bytes: string | Uint8Array): undefined {
    this.#body.push(bytes);
  }

  end(exchange: Exchange, state: ExchangeState): void {
    if (state.tellsCost) Object.assign(this.#headers, measureCost(exchange, state));
    if (!this.#connection.begun) this.#connection.begin(this.#status, this.#headers);
    const last = this.#body.pop();
    for (const bytes of this.#body) void this.#connection.write(bytes);
    if (last !== undefined) this.#connection.last(last);
  }
}

/**
 * A file that is sent as it arrives. Its length is not known, so a client takes what was sent before an error for the
 * whole file, unless the connection is cut.
 */
export class OpenOutput implements ReplyOutput {
  readonly #connection: ClientConnection;

  constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void {
    this.#connection.begin(reply.status, openHeaders(exchange, state, reply, this.#connection));
  }

  write(bytes: string | Uint8Array, isLast?: boolean): Promise<void> | undefined {
    if (isLast !== true) return this.#connection.write(bytes);
    this.#connection.last(bytes);
    return undefined;
  }

  end(exchange: Exchange, state: ExchangeState): void {
    if (state.ending?.error !== undefined) this.#connection.cut();
    else if (state.tellsCost) this.#connection.trail(measureCost(exchange, state));
  }
}
