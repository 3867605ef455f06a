import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

const NAME = 'x-content-type-options';
const VALUE = 'nosniff';

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer with `x-content-type-options: nosniff`, whichever part of the gateway or of Node writes its head. */
export class SafeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, reasonOrHeaders?: string | GivenHeaders, given?: GivenHeaders): this {
    const [reason, headers] = typeof reasonOrHeaders === 'string' ? [reasonOrHeaders, given] : [undefined, reasonOrHeaders];
    // Headers that come all at once are written at once; with one that was set before, Node would set each of them by itself.
    if (headers !== undefined && !Array.isArray(headers)) return super.writeHead(status, reason, { ...headers, [NAME]: VALUE });
    this.setHeader(NAME, VALUE);
    return super.writeHead(status, reason, headers);
  }
}
