import type { Exchange } from '../contracts/exchange.ts';
import type { Output, Reply } from '../contracts/attempt.ts';
import type { ClientConnection } from './client-connection.ts';
import type { ExchangeState } from './exchange-state.ts';
import { measureCost } from './cost-headers.ts';
import { replyHeaders } from './response-headers.ts';

/** Where the response of an exchange is written. */
export interface ReplyOutput extends Output {
  /** The response has begun: no other target can replace it. */
  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void;
  /** The whole response has been written, and the state has its ending. */
  end(exchange: Exchange, state: ExchangeState): Promise<void> | undefined;
}

/** A response that is not streamed. Its headers go out with the first bytes, so that an error before can replace it. */
export class PlainOutput implements ReplyOutput {
  readonly #connection: ClientConnection;
  #status = 0;
  #headers: Record<string, string> = {};
  /** The body, if its cost is shown: the headers then wait for the end of the attempt. */
  #held: (string | Uint8Array)[] | undefined;

  constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  commit(exchange: Exchange, state: ExchangeState, reply: Reply): void {
    this.#status = reply.status;
    this.#headers = Object.assign(replyHeaders(exchange, state, reply), reply.headers);
    if (state.tellsCost) this.#held = [];
  }

  write(bytes: string | Uint8Array): Promise<void> | undefined {
    if (this.#held !== undefined) {
      this.#held.push(bytes);
      return undefined;
    }
    this.#begin();
    return this.#connection.write(bytes);
  }

  end(exchange: Exchange, state: ExchangeState): Promise<void> | undefined {
    if (this.#held !== undefined) return this.#release(this.#held, exchange, state);
    this.#begin();
    this.#connection.end();
    return undefined;
  }

  async #release(body: readonly (string | Uint8Array)[], exchange: Exchange, state: ExchangeState): Promise<void> {
    Object.assign(this.#headers, measureCost(exchange, state));
    this.#begin();
    const since = performance.now();
    for (const bytes of body) await this.#connection.write(bytes);
    this.#connection.end();
    const { ending } = state;
    if (ending !== undefined)
      state.ending = { ...ending, waitedMs: (ending.waitedMs ?? 0) + performance.now() - since };
  }

  #begin(): void {
    if (!this.#connection.begun) this.#connection.begin(this.#status, this.#headers);
  }
}
