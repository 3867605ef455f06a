import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { ServerResponse } from '../../services/network/node-http.ts';
import type { RequestHead } from '../../contracts/exchange.ts';

const NAME = 'x-content-type-options';
const VALUE = 'nosniff';

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A body that is being read. */
export interface OpenBody {
  fail(reason: unknown): void;
}

/** A response of one of our listeners. */
export class GatewayResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Of a request that was routed. */
  head: RequestHead | undefined = undefined;
  /** Of the head's signal. */
  controller: AbortController | undefined = undefined;
  /** Of the request, while it is being read. */
  body: OpenBody | undefined = undefined;

  /** Ends what answers the request: its client has left, or the gateway ends it. */
  abort(reason: unknown): void {
    this.body?.fail(reason);
    this.controller?.abort(reason);
  }

  /** Adds `x-content-type-options: nosniff`, whichever part of the gateway or of Node writes the head. */
  override writeHead(status: number, reasonOrHeaders?: string | GivenHeaders, given?: GivenHeaders): this {
    const hasReason = typeof reasonOrHeaders === 'string';
    const reason = hasReason ? reasonOrHeaders : undefined;
    const headers = hasReason ? given : reasonOrHeaders;
    // Headers that come all at once are written at once; with one that was set before, Node would set each of them by itself.
    if (headers !== undefined && !Array.isArray(headers))
      return super.writeHead(status, reason, { ...headers, [NAME]: VALUE });
    this.setHeader(NAME, VALUE);
    return super.writeHead(status, reason, headers);
  }
}
