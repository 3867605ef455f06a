import type { Exchange } from '../contracts/exchange.ts';
import type { Output, Reply } from '../contracts/attempt.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { replyHeaders } from './response-headers.ts';

/** Where the response of an exchange is written. */
export interface ReplyOutput extends Output {
  /** The response has begun: no other target can replace it. */
  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void;
  /** The whole response has been written. */
  end(): void;
}

/** A response that is not streamed. Its headers go out with the first bytes, so that an error before can replace it. */
export class PlainOutput implements ReplyOutput {
  readonly #connection: ClientConnection;
  #status = 0;
  #headers: Record<string, string> = {};

  constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void {
    this.#status = reply.status;
    this.#headers = Object.assign(replyHeaders(exchange, state, reply), reply.headers);
  }

  write(bytes: string | Uint8Array): Promise<void> | undefined {
    this.#begin();
    return this.#connection.write(bytes);
  }

  end(): void {
    this.#begin();
    this.#connection.end();
  }

  #begin(): void {
    if (!this.#connection.begun) this.#connection.begin(this.#status, this.#headers);
  }
}
