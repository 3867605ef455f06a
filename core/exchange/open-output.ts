import type { Exchange } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/attempt.ts';
import type { ClientConnection } from './client-connection.ts';
import { COST_TRAILERS, measureCost } from './cost-headers.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { ReplyOutput } from './plain-output.ts';
import { replyHeaders, streamHeaders } from './response-headers.ts';

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
    const headers = { ...replyHeaders(exchange, state, reply), ...streamHeaders, ...reply.headers };
    if (state.tellsCost && this.#connection.hasTrailers) headers['trailer'] = COST_TRAILERS;
    this.#connection.begin(reply.status, headers);
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
