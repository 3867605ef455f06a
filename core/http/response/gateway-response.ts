import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { ServerResponse } from '../../services/network/node-http.ts';
import type { DirectRequest } from '../direct/direct-request.ts';
import type { RequestHead } from '../../contracts/exchange.ts';

const NAME = 'x-content-type-options';
const VALUE = 'nosniff';

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A body that is being read. */
export interface OpenBody {
  fail(reason: unknown): void;
}

/** A response of the gateway's listeners. */
export class GatewayResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** The head of the request, once it is routed. */
  head: RequestHead | undefined = undefined;
  /** The id of the request, if a middleware has read it before the request was routed. */
  requestId: string | undefined = undefined;
  /** Undefined if the request was served without Koa, as an exchange. */
  direct: DirectRequest | undefined = undefined;
  /** The controller of the head's signal. */
  controller: AbortController | undefined = undefined;
  /** The body of the request, while it is being read. */
  body: OpenBody | undefined = undefined;

  /** Aborts the handling of the request: its client has left, or the gateway ends it. */
  abort(reason: unknown): void {
    this.body?.fail(reason);
    this.controller?.abort(reason);
  }

  /** Adds `x-content-type-options: nosniff` to every response, whichever part of the gateway or of Node sends it. */
  override writeHead(status: number, reasonOrHeaders?: string | GivenHeaders, given?: GivenHeaders): this {
    const hasReason = typeof reasonOrHeaders === 'string';
    const reason = hasReason ? reasonOrHeaders : undefined;
    const headers = hasReason ? given : reasonOrHeaders;
    // Headers that are passed together are written together. After a setHeader, Node would set each of them separately.
    if (headers !== undefined && !Array.isArray(headers))
      return super.writeHead(status, reason, headers[NAME] === VALUE ? headers : { ...headers, [NAME]: VALUE });
    this.setHeader(NAME, VALUE);
    return super.writeHead(status, reason, headers);
  }
}
