import type { Exchange } from '../contracts/exchange.ts';
import type { Output, Reply } from '../contracts/reply.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { replyHeaders } from './response-headers.ts';

/** Where the answer of an exchange is written. */
export interface ReplyOutput extends Output {
  /** The answer has begun: nothing but a failure of its own can stand in its place now. */
  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void;
  /** All of it has been written. */
  end(): void;
}

/** A whole answer: the headers go out with its first bytes, so that what goes wrong before can still be refused. */
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
